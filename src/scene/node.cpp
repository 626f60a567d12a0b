#include "scene/node.h"

namespace abut::scene {

const Node* Node::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].name == key) return &items[i];
  }
  return nullptr;
}

Node* Node::find(std::string_view key) {
  return const_cast<Node*>(static_cast<const Node*>(this)->find(key));
}

const Node* Node::valid_at(std::string_view key) const {
  const Node* node = find(key);
  return node != nullptr && node->valid ? node : nullptr;
}

}  // namespace abut::scene
