#include "scene/yaml_document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <istream>
#include <map>
#include <streambuf>
#include <string>
#include <unordered_map>

#include "base/text.h"

namespace abut::scene {
namespace {

/// Ends the parse; the reason has been reported.
struct Refused {};

/// Reads from memory without copying it.
class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());
    setg(begin, begin, begin + text.size());
  }
};

std::size_t size_of(const Node& node) {
  std::size_t size = 1;
  for (const Node& item : node.items) size += size_of(item);
  return size;
}

/// Builds the tree from yaml-cpp's events.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, int override_index, Problems& problems)
      : text_(text), override_index_(override_index), problems_(problems) {}

  Node root;
  bool found = false;
  std::optional<Mark> wordless_key;  ///< the first key that is no plain word

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (found) refuse(mark, "a second document begins here; a scene is one document");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node node;
    node.mark = place(mark);
    add(std::move(node), anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(mark, tag);
    check_closed(mark);
    Node node;
    node.kind = Node::Kind::scalar;
    node.quoted = tag == "!";
    node.mark = place(mark);
    node.text = value;
    add(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end()) refuse(mark, "this alias stands inside the value it refers to");
    alias_count_ += size_of(known->second);
    if (alias_count_ > maximum_alias_nodes) {
      refuse(mark, fmt::format("aliases repeat more than {} values; write fewer of them",
                               maximum_alias_nodes));
    }
    add(known->second, 0);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Node::Kind::sequence);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Node::Kind::map);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node node;
    YAML::anchor_t anchor = 0;
    bool has_key = false;
    std::unordered_map<std::string, Mark> seen;
  };

  Mark place(const YAML::Mark& mark) const {
    if (mark.is_null()) return {0, 0, override_index_};
    return {mark.line + 1, mark.column + 1, override_index_};
  }

  [[noreturn]] void refuse(const YAML::Mark& mark, std::string message) {
    problems_.error(place(mark), std::move(message));
    throw Refused{};
  }

  void check_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    problems_.error(place(mark), fmt::format("the tag `{}` has no meaning in a scene; remove it",
                                             base::shown(tag)));
  }

  /// yaml-cpp takes a quote that is never closed for text up to the end, if that is a new line.
  void check_closed(const YAML::Mark& mark) {
    if (mark.is_null() || static_cast<std::size_t>(mark.pos) >= text_.size()) return;
    const auto start = static_cast<std::size_t>(mark.pos);
    const char quote = text_[start];
    if (quote != '"' && quote != '\'') return;
    for (std::size_t i = start + 1; i < text_.size(); ++i) {
      if (text_[i] == quote) {
        // Two single quotes stand for one.
        const bool doubled = quote == '\'' && i + 1 < text_.size() && text_[i + 1] == quote;
        if (!doubled) return;
        ++i;
      } else if (quote == '"' && text_[i] == '\\') {
        ++i;
      }
    }
    refuse(mark, "this quote is never closed; add the closing one");
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            Node::Kind kind) {
    if (static_cast<int>(stack_.size()) >= maximum_depth) {
      refuse(mark, fmt::format("lists and maps are nested more than {} deep; flatten them",
                               maximum_depth));
    }
    check_tag(mark, tag);
    Open next;
    next.node.kind = kind;
    next.node.mark = place(mark);
    next.anchor = anchor;
    stack_.push_back(std::move(next));
  }

  void close() {
    Open done = std::move(stack_.back());
    stack_.pop_back();
    add(std::move(done.node), done.anchor);
  }

  void add(Node node, YAML::anchor_t anchor) {
    ++count_;
    if (count_ > maximum_nodes) {
      problems_.error(node.mark, fmt::format("the document has more than {} values; put large "
                                             "meshes into files",
                                             maximum_nodes));
      throw Refused{};
    }
    if (anchor != 0) anchors_[anchor] = node;
    if (stack_.empty()) {
      root = std::move(node);
      found = true;
      return;
    }
    Open& parent = stack_.back();
    if (parent.node.is_map() && !parent.has_key) {
      add_key(parent, std::move(node));
    } else {
      parent.has_key = false;
      parent.node.items.push_back(std::move(node));
    }
  }

  void add_key(Open& parent, Node node) {
    // yaml-cpp begins a map at an unclosed bracket too, and complains only later; wait for it.
    if (!node.is_scalar() && !wordless_key) wordless_key = node.mark;
    if (node.is_scalar() && !node.quoted && node.text == "<<") {
      problems_.error(node.mark,
                      "merge keys (`<<`) are not read; an alias (`*name`) stands for a whole value "
                      "only, so write these keys out");
      throw Refused{};
    }
    const auto [earlier, is_new] = parent.seen.emplace(node.text, node.mark);
    if (!is_new) {
      problems_.error(
          node.mark,
          fmt::format("the key `{}` is given twice, first at line {}, column {}; "
                      "remove one of them",
                      base::shown(node.text), earlier->second.line, earlier->second.column));
    }
    parent.node.keys.push_back({std::move(node.text), node.mark});
    parent.has_key = true;
  }

  std::string_view text_;
  int override_index_;
  Problems& problems_;
  std::vector<Open> stack_;
  std::map<YAML::anchor_t, Node> anchors_;
  std::size_t count_ = 0;
  std::size_t alias_count_ = 0;
};

Mark mark_at(std::string_view text, std::size_t offset, int override_index) {
  Mark mark{1, 1, override_index};
  for (std::size_t i = 0; i < offset; ++i) {
    if (text[i] == '\n') {
      ++mark.line;
      mark.column = 1;
    } else {
      ++mark.column;
    }
  }
  return mark;
}

/// Bytes that no text contains.
bool has_only_text(std::string_view text, int override_index, Problems& problems) {
  if (const auto offset = base::invalid_utf8_offset(text)) {
    problems.error(mark_at(text, *offset, override_index),
                   fmt::format("byte 0x{:02x} is not valid UTF-8; save the file as UTF-8 text",
                               static_cast<unsigned char>(text[*offset])));
    return false;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f) {
      problems.error(mark_at(text, i, override_index),
                     fmt::format("control character 0x{:02x} in the text; remove it", byte));
      return false;
    }
  }
  return true;
}

/// Whether the line is indented with a tab, the usual reason for yaml-cpp to give up.
bool indented_by_tab(std::string_view text, int line) {
  std::size_t start = 0;
  for (int i = 1; i < line && start != std::string_view::npos; ++i) {
    start = text.find('\n', start);
    if (start != std::string_view::npos) ++start;
  }
  if (start == std::string_view::npos) return false;
  const std::size_t first = text.find_first_not_of(' ', start);
  return first != std::string_view::npos && text[first] == '\t';
}

std::optional<Node> parse(std::string_view text, int override_index, Problems& problems) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (!has_only_text(text, override_index, problems)) return std::nullopt;
  ViewBuffer buffer(text);
  std::istream stream(&buffer);
  TreeBuilder builder(text, override_index, problems);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Refused&) {
    return std::nullopt;
  } catch (const YAML::Exception& error) {
    const Mark mark{error.mark.line + 1, error.mark.column + 1, override_index};
    problems.error(mark,
                   indented_by_tab(text, mark.line)
                       ? std::string("the line is indented with a tab; use spaces")
                       : fmt::format("this is not valid YAML ({}); check indentation, colons, "
                                     "brackets and quotes",
                                     base::shown(error.msg)));
    return std::nullopt;
  }
  if (builder.wordless_key) {
    problems.error(*builder.wordless_key, "a key must be a plain word, not empty, a list or a map");
    return std::nullopt;
  }
  if (!builder.found) return Node{};
  return std::move(builder.root);
}

}  // namespace

std::optional<Node> parse_yaml(std::string_view text, Problems& problems) {
  return parse(text, -1, problems);
}

std::optional<Node> parse_override_value(std::string_view text, int index, Problems& problems) {
  return parse(text, index, problems);
}

}  // namespace abut::scene
