#include "pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "abut/diagnostics.h"
#include "browser.h"
#include "film.h"
#include "record/replaced_file.h"
#include "record/report.h"
#include "recorded_scene.h"

namespace abut::cli {
namespace {

namespace fs = std::filesystem;

/// A report in a folder of its own, removed in the end.
class TemporaryReport {
 public:
  TemporaryReport(const record::RunReader& run, const model::Model& model) {
    std::string name = (fs::temp_directory_path() / "abut-report-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("there is no temporary folder");
    folder_ = name;
    if (!record::write_report(run, model, page()).has_player)
      throw InputError(Location{},
                       "this program was built without the player, which draws pictures; install "
                       "Node.js and build again");
  }
  ~TemporaryReport() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  TemporaryReport(const TemporaryReport&) = delete;
  TemporaryReport& operator=(const TemporaryReport&) = delete;

  fs::path page() const { return folder_ / "report.html"; }

 private:
  fs::path folder_;
};

/// The page, open and without its controls.
class Artist {
 public:
  /// With a time, what moves then fills the picture; else what moves at any time is in it.
  Artist(const fs::path& browser, const ExportCommand& command, const fs::path& page,
         std::optional<double> time)
      : browser_(browser, command.width, command.height) {
    browser_.open(page);
    nlohmann::json options{{"dark", command.dark}, {"show", command.show}};
    if (time) options["time"] = *time;
    browser_.evaluate(fmt::format("abutReady.then(() => abut.pose({}))", options.dump()));
  }

  std::string draw(double time) {
    browser_.evaluate(fmt::format("abut.poseAt({:.17g})", time));
    return browser_.picture();
  }

 private:
  Browser browser_;
};

void write_file(const fs::path& path, const std::string& bytes) {
  record::ReplacedFile file(path);
  file.write(bytes);
  file.finish();
}

}  // namespace

void export_pictures(const record::RunReader& run, const ExportCommand& command,
                     const fs::path& directory) {
  const bool film = command.format == "mp4";
  if (!film && command.format != "png")
    throw InputError(Location{}, fmt::format("format '{}' is not known; use csv, glb, png or mp4",
                                             command.format));
  const auto browser = find_browser();
  const bool no_film_maker = film && !find_film_maker();
  if (!browser || no_film_maker)  // all that is missing at once
    throw InputError(Location{},
                     fmt::format("pictures are drawn by Chromium and films made by ffmpeg, and not "
                                 "all of that is there; on Debian: apt install{}{}; ABUT_BROWSER "
                                 "names a browser that is elsewhere",
                                 browser ? "" : " chromium", no_film_maker ? " ffmpeg" : ""));
  const TemporaryReport report(run, recorded_model(run, command.mesh_folder));
  const double end = run.frame_count() > 0 ? run.stamps().back().time : 0;
  if (!film) {
    const double time = command.time.value_or(end / 2);
    write_file(directory / "run.png", Artist(*browser, command, report.page(), time).draw(time));
    return;
  }
  Artist artist(*browser, command, report.page(), std::nullopt);
  Film reel(directory / "run.mp4", command.rate);
  const auto count = static_cast<long>(std::floor(end / command.speed * command.rate)) + 1;
  for (long i = 0; i < count; ++i)
    reel.add(artist.draw(std::min(static_cast<double>(i) / command.rate * command.speed, end)));
  reel.finish();
}

}  // namespace abut::cli
