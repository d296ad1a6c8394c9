// docs/schema/run.schema.json: every run is what it says, and it refuses what is not.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "tests/program_run/program.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

using Json = nlohmann::json;

class RunSchema : public testing::Test {
 protected:
  void SetUp() override {
    const Json text = Json::parse(text_of_file(ARCHSIM_SOURCE_DIR "/docs/schema/run.schema.json"));
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema_);
  }
  /// Empty if it is one.
  std::string why_not(const Json& run) {
    valijson::Validator validator;
    valijson::ValidationResults results;
    if (validator.validate(schema_, valijson::adapters::NlohmannJsonAdapter(run), &results)) return "";
    valijson::ValidationResults::Error error;
    std::string why = "refused";
    while (results.popError(error)) {
      why += "\n";
      for (const std::string& step : error.context) why += step;
      why += ": " + error.description;
    }
    return why;
  }
  valijson::Schema schema_;
  TemporaryFolder folder_;
};

TEST_F(RunSchema, HoldsForRunsAndRefusesWhatIsNone) {
  const std::string trace = small_trace(folder_);
  for (const char* config : {kEdge, "configs/soc/humanoid_hbm3.yaml"})
    EXPECT_EQ(why_not(Json::parse(run_json_of(config, trace).dump())), "") << config;
  const Json run = Json::parse(run_json_of(kEdge, trace).dump());
  const auto is_refused = [&](const std::string& pointer, const Json& value) {
    Json other = run;
    other[Json::json_pointer(pointer)] = value;
    EXPECT_NE(why_not(other), "") << pointer;
  };
  is_refused("/schema", "archsim.run/2");
  is_refused("/time_s", -1.0);
  is_refused("/time_s", "soon");
  is_refused("/stages/0/bound", "luck");
  is_refused("/operators/0/engine", "gpu");
  is_refused("/roofline/efficiency", 1.5);
  for (const char* key : {"stages", "operators", "config", "blocks", "roofline", "dram_read_bytes"}) {
    Json other = run;
    other.erase(key);
    EXPECT_NE(why_not(other), "") << key;
  }
}

}  // namespace
}  // namespace archsim
