#include "record/report.h"

#include <fmt/format.h>

#include <functional>

#include "record/replaced_file.h"
#include "record/summary.h"
#include "record/text_encoding.h"
#include "record/viewer_page.h"

namespace abut::record {
namespace {

/// Where the built page wants the run.
constexpr std::string_view run_marker = "<!--abut:run-->";

/// Hands the page to `write`, piece by piece.
void write_page(std::string_view page, std::size_t marker, const Playback& playback,
                const std::function<void(std::string_view)>& write) {
  write(page.substr(0, marker));
  write("<script type=\"application/json\" id=\"abut-header\">");
  write(json_for_script(playback.header));
  write("</script>\n");
  for (const std::string& chunk : playback.chunks) {
    write("<script type=\"text/plain\" class=\"abut-chunk\">");
    write(base64(gzipped(chunk)));
    write("</script>\n");
  }
  write(page.substr(marker + run_marker.size()));
}

/// The facts alone, for a program that was built without the player.
std::string plain_page(const RunReader& run) {
  const RunFacts& facts = run.facts();
  const auto summary = run.summary();
  const std::string numbers =
      summary ? summary_json(*summary, facts.scene_name) : "the run did not come to its end";
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n"
      "<style>body{{font-family:sans-serif;max-width:50em;margin:2em auto;padding:0 1em}}"
      "pre{{overflow:auto;background:#eee;padding:1em}}</style>\n</head>\n<body>\n<h1>{0}</h1>\n"
      "<p>This Abut was built without the player, because Node.js was not there, so that the page "
      "has no moving picture. <code>abut report</code> of a complete build makes one from "
      "<code>run.h5</code>.</p>\n"
      "<h2>Certificate</h2>\n<pre>{1}</pre>\n<h2>Scene</h2>\n<pre>{2}</pre>\n</body>\n</html>\n",
      html_text(facts.scene_name.empty() ? "Run" : facts.scene_name), html_text(numbers),
      html_text(facts.scene_text));
}

}  // namespace

ReportNotes write_report(const RunReader& run, const model::Model& model,
                         const std::filesystem::path& path) {
  const std::string_view page = viewer_page();
  const std::size_t marker = page.find(run_marker);
  if (marker == std::string_view::npos) {
    ReplacedFile file(path);
    file.write(plain_page(run));
    file.finish();
    return {.has_player = false, .thinning = {}};
  }
  const Playback playback = make_playback(run, model);
  ReplacedFile file(path);
  write_page(page, marker, playback, [&file](std::string_view piece) { file.write(piece); });
  file.finish();
  return {.has_player = true, .thinning = playback.thinning};
}

std::optional<std::string> served_page(const Playback& playback) {
  const std::string_view page = viewer_page();
  const std::size_t marker = page.find(run_marker);
  if (marker == std::string_view::npos) return std::nullopt;
  std::string text;
  write_page(page, marker, playback, [&text](std::string_view piece) { text += piece; });
  // Beside the run, where scripts that look for it come after it.
  text.insert(marker, "<script type=\"application/json\" id=\"abut-link\">\"live\"</script>\n");
  return text;
}

}  // namespace abut::record
