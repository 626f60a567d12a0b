#pragma once
// A scene document as a tree: scalars, sequences and maps, each with its place in the text.
//
// The checker writes what it found into the nodes (`valid`, `number`, `choice`), so that the
// builders after it read plain values and never parse text again.

#include <string>
#include <string_view>
#include <vector>

namespace abut::scene {

/// A place in the document, counted from 1, or in the value of a command-line override.
struct Mark {
  int line = 0;
  int column = 0;
  int override_index = -1;  ///< which override the text stands in; -1: the document
};

struct Node {
  enum class Kind : unsigned char { null, scalar, sequence, map };
  struct Key {
    std::string name;
    Mark mark;
  };

  Kind kind = Kind::null;
  bool quoted = false;  ///< a scalar in quotes, which is text even if it looks like a number
  bool valid = false;   ///< agrees with its description; set by the checker
  Mark mark;
  std::string text;  ///< of a scalar
  std::vector<Node> items;
  std::vector<Key> keys;  ///< of a map; keys[i] belongs to items[i]

  double number = 0;  ///< of a number; 0 or 1 for a flag; set by the checker
  int choice = -1;    ///< which alternative or choice the node is; set by the checker

  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_sequence() const { return kind == Kind::sequence; }
  bool is_map() const { return kind == Kind::map; }

  /// The value of a key of a map, or nullptr.
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  /// The same, but only if the checker was content with it.
  const Node* valid_at(std::string_view key) const;
};

}  // namespace abut::scene
