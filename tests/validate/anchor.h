// A number that archsim gives beside the one that it should give, and by how much they may differ.
#pragma once

#include <string>
#include <vector>

namespace archsim {

struct Anchor {
  std::string what;
  double given = 0.0, expected = 0.0;
  double tolerance = 0.0;       // relative; 0: to the last digit
  bool is_upper_limit = false;  // `given` may be anything up to `expected`
  std::string ground;           // where `expected` comes from

  bool holds() const;
};

/// Each family of anchors by itself.
std::vector<Anchor> array_anchors();
std::vector<Anchor> dram_anchors();
std::vector<Anchor> roofline_anchors();
/// The accelerator's model beside its RTL; prints a table of its own.
std::vector<Anchor> rtl_anchors();
/// Runs the main job.
std::vector<Anchor> run_anchors();
/// Runs pi0 in int8 and bf16 on two SoCs, each again with every param doubled that stands for more: none may be slower. Takes
/// minutes, so it runs only if it is named.
std::vector<Anchor> direction_anchors();
/// A refined sweep beside the simulation of all its points. Takes minutes, so it runs only if it is named.
std::vector<Anchor> sweep_anchors();
/// Runs every workload of the zoo on two SoCs in full and sampled; prints each. False if a time differs by 1 % or a count at all. Takes
/// a quarter of an hour, so it runs only if it is named.
bool sampled_holds();

}  // namespace archsim
