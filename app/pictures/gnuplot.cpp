#include "app/pictures/gnuplot.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace archsim {
namespace {

namespace fs = std::filesystem;

/// A folder of our own, gone in the end.
class Workspace {
 public:
  Workspace() {
    std::string path = (fs::temp_directory_path() / "archsim.XXXXXX").string();
    if (::mkdtemp(path.data()) != nullptr) path_ = path;
  }
  ~Workspace() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  bool is_there() const { return !path_.empty(); }
  std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Sizes: 1280 x 720 points for SVG; PNG at one and a half times that; PDF as a page of 16:9, 13.3 inches wide.
std::string terminal(PictureFormat format) {
  switch (format) {
    case PictureFormat::svg:
      return "set terminal svg noenhanced size 1280,720 font 'DejaVu Sans,Arial,sans-serif,12' background '#ffffff'\n";
    case PictureFormat::png:
      return "set terminal pngcairo noenhanced size 1920,1080 font 'DejaVu Sans,12' fontscale 1.125 linewidth 1.5 "
             "pointscale 1.5 background '#ffffff'\n";
    case PictureFormat::pdf:
      break;
  }
  return "set terminal pdfcairo noenhanced size 13.333in,7.5in font 'DejaVu Sans,12' fontscale 0.75 linewidth 1.5 "
         "pointscale 0.75 background '#ffffff'\n";
}

constexpr int kNoProgram = 127;

/// The exit status of `gnuplot SCRIPT`, with its messages in `messages`.
int run(const std::string& script, const std::string& messages) {
  const pid_t child = ::fork();
  if (child < 0) return -1;
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    const int out = ::open(messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    ::execlp("gnuplot", "gnuplot", "-d", script.c_str(), static_cast<char*>(nullptr));
    ::_exit(kNoProgram);
  }
  int state = 0;
  while (::waitpid(child, &state, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

Diagnostic failure(std::string message, std::string help) {
  return {Severity::error, std::move(message), {}, std::move(help)};
}

}  // namespace

std::optional<PictureFormat> picture_format_of(const std::string& path) {
  if (path.ends_with(".svg")) return PictureFormat::svg;
  if (path.ends_with(".png")) return PictureFormat::png;
  if (path.ends_with(".pdf")) return PictureFormat::pdf;
  return {};
}

Checked<std::string> gnuplot(const std::string& script, PictureFormat format) {
  const Workspace space;
  if (!space.is_there()) return failure(std::string("cannot make a folder to draw in: ") + std::strerror(errno), "");
  const std::string picture = space.file("picture"), plot = space.file("plot"), said = space.file("said");
  std::ofstream(plot, std::ios::binary) << terminal(format) << "set output " << quoted_for_gnuplot(picture) << "\n"
                                        << script;
  const int status = run(plot, said);
  if (status == kNoProgram) {
    return failure("gnuplot, which draws SVG, PNG and PDF, is not installed",
                   "install the package gnuplot-nox, or draw into a file that ends in .html");
  }
  std::string drawn = read(picture);
  if (status != 0 || drawn.empty()) return failure("gnuplot did not draw the picture: " + read(said), "");
  return drawn;
}

std::string quoted_for_gnuplot(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return quoted + "'";
}

}  // namespace archsim
