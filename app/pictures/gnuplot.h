// Gnuplot as a program that draws a script.
#pragma once

#include <optional>
#include <string>

#include "arch/describe/diagnostic.h"

namespace archsim {

enum class PictureFormat { svg, png, pdf };

/// By the ending .svg, .png or .pdf.
std::optional<PictureFormat> picture_format_of(const std::string& path);

/// Has gnuplot draw `script` into a picture of 1280 x 720 points of a slide; what it wrote, or why not.
Checked<std::string> gnuplot(const std::string& script, PictureFormat format);

/// A text between single quotes, as gnuplot takes it unread.
std::string quoted_for_gnuplot(const std::string& text);

}  // namespace archsim
