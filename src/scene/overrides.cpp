#include "scene/overrides.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "scene/yaml_document.h"

namespace abut::scene {
namespace {

/// One piece of a path: a key or name, or a place in a list.
struct Step {
  std::string name;
  std::optional<std::size_t> index;
};

/// Splits `bodies[0].velocity[2]`. A bracket that does not hold a plain number belongs to a name.
std::optional<std::vector<Step>> split(std::string_view path) {
  std::vector<Step> steps;
  while (!path.empty()) {
    if (path[0] == '[') {
      std::size_t index = 0;
      const auto [end, status] = std::from_chars(path.data() + 1, path.data() + path.size(), index);
      const auto used = static_cast<std::size_t>(end - path.data());
      if (status != std::errc() || used >= path.size() || path[used] != ']') return std::nullopt;
      steps.push_back({"", index});
      path.remove_prefix(used + 1);
      if (path.empty() || path[0] == '[') continue;
      if (path[0] != '.') return std::nullopt;
      path.remove_prefix(1);
      if (path.empty()) return std::nullopt;
      continue;
    }
    const std::size_t end = path.find_first_of(".[");
    const std::string_view name = path.substr(0, end);
    if (name.empty()) return std::nullopt;
    steps.push_back({std::string(name), std::nullopt});
    if (end == std::string_view::npos) break;
    path.remove_prefix(path[end] == '.' ? end + 1 : end);
    if (path.empty()) return std::nullopt;
  }
  if (steps.empty()) return std::nullopt;
  return steps;
}

/// "bodies" -> "body", for messages.
std::string singular(const std::string& list) {
  if (list == "bodies") return "body";
  return list.ends_with('s') ? list.substr(0, list.size() - 1) : list;
}

class Applier {
 public:
  Applier(int index, Problems& problems) : index_(index), problems_(problems) {}

  void apply(Node& document, std::string_view text) {
    const std::size_t equals = text.find('=');
    const auto steps =
        equals == std::string_view::npos ? std::nullopt : split(text.substr(0, equals));
    if (!steps) {
      fail("this is not of the form path=value, such as solver.tolerance=1e-6");
      return;
    }
    auto value = parse_override_value(text.substr(equals + 1), index_, problems_);
    if (!value) return;
    if (value->kind == Node::Kind::null) {
      fail("the value is missing after `=`");
      return;
    }
    Node* node = &document;
    std::string parent = "the scene";
    for (const Step& step : *steps) {
      node = step.index ? entry(*node, *step.index, parent) : member(*node, step.name, parent);
      if (node == nullptr) return;
      parent = step.index ? fmt::format("{}[{}]", parent, *step.index) : step.name;
    }
    *node = std::move(*value);
  }

 private:
  Node* fail(std::string message) {
    problems_.error({0, 0, index_}, std::move(message));
    return nullptr;
  }

  Node* entry(Node& list, std::size_t index, const std::string& name) {
    if (!list.is_sequence()) return fail(fmt::format("{} is not a list", base::shown(name)));
    if (index < list.items.size()) return &list.items[index];
    return fail(fmt::format("{} has {} entries, counted from 0, so there is no [{}]",
                            base::shown(name), list.items.size(), index));
  }

  Node* member(Node& node, const std::string& key, const std::string& name) {
    if (node.is_sequence()) return named_entry(node, key, name);
    // A missing map is made on the way: `solver.tolerance` needs no `solver:` in the file.
    if (node.kind == Node::Kind::null) {
      node.kind = Node::Kind::map;
      node.mark = {0, 0, index_};
    }
    if (!node.is_map()) {
      return fail(fmt::format("{} is `{}`, which has no key `{}`", base::shown(name),
                              base::shown(node.text), base::shown(key)));
    }
    if (Node* found = node.find(key)) return found;
    node.keys.push_back({key, {0, 0, index_}});
    return &node.items.emplace_back();
  }

  Node* named_entry(Node& list, const std::string& wanted, const std::string& list_name) {
    std::vector<std::string> names;
    for (Node& item : list.items) {
      const Node* name = item.is_map() ? item.find("name") : nullptr;
      if (name == nullptr || !name->is_scalar()) continue;
      if (name->text == wanted) return &item;
      names.push_back(name->text);
    }
    return fail(fmt::format("no {} is named `{}`{}", singular(list_name), base::shown(wanted),
                            base::did_you_mean(wanted, names)));
  }

  int index_;
  Problems& problems_;
};

}  // namespace

void apply_overrides(Node& document, const std::vector<std::string>& overrides,
                     Problems& problems) {
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    Applier(static_cast<int>(i), problems).apply(document, overrides[i]);
  }
}

}  // namespace abut::scene
