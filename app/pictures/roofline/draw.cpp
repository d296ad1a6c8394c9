#include "app/pictures/roofline/draw.h"

#include "app/pictures/gnuplot.h"
#include "app/pictures/roofline/page.h"
#include "app/pictures/roofline/scene/plot.h"

namespace archsim {
Diagnostics can_draw_into(const std::string& path) {
  Diagnostics out;
  if (!picture_format_of(path) && !path.ends_with(".html")) {
    out.error({}, "`" + path + "` names no kind of picture", "end it with .svg, .png, .pdf or .html");
  }
  return out;
}

ColourBy colour_by_from(const std::string& name, std::size_t runs) {
  if (name == "stage") return ColourBy::stage;
  if (name == "run" || (name == "auto" && runs > 1)) return ColourBy::run;
  return ColourBy::bound;
}

Checked<std::string> draw_roofline(const std::vector<RooflineSeries>& series, ColourBy by, const std::string& path) {
  if (path.ends_with(".html")) return roofline_page(series, by);
  return gnuplot(gnuplot_script(scene_of(series, by)), picture_format_of(path).value_or(PictureFormat::svg));
}

}  // namespace archsim
