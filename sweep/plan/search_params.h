// The budget of a search and how it varies points: `strategy: {name: nsga2, population: 40, generations: 25}`.
#pragma once

#include <optional>

#include "arch/describe/fields.h"

namespace archsim {

/// The defaults of crossover and mutation are those of Deb 2002, "A fast and elitist multiobjective genetic algorithm: NSGA-II",
/// section V; population and generations are assumed: a thousand points, a second at roofline.
struct SearchParams {
  unsigned population = 40;
  unsigned generations = 25;
  double crossover = 0.9;
  std::optional<double> mutation = {};

  static constexpr auto fields() {
    using P = SearchParams;
    return fields_of(
        param<&P::population>("points of a generation, which are evaluated side by side").between(8, 100000),
        param<&P::generations>("generations after the first, which is random").between(1, 100000),
        param<&P::crossover>("probability that two parents mix their axes").between(0.0, 0.99),
        param<&P::mutation>("probability that an axis of a child is varied; 1 / number of axes if it is not given")
            .between(0.0, 1.0));
  }
  static constexpr auto rules() {
    using P = SearchParams;
    return rules_of(rule<&P::population>("`population` is a multiple of 4, because parents are chosen by fours",
                                         [](const P& p) { return p.population % 4 == 0; }));
  }
};

}  // namespace archsim
