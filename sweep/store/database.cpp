#include "sweep/store/database.h"

#include <sqlite3.h>

#include <stdexcept>

namespace archsim {
namespace {

constexpr int kBusyMilliseconds = 10'000;

[[noreturn]] void fail(sqlite3* handle, const std::string& what) {
  throw std::runtime_error(what + ": " + (handle == nullptr ? "out of memory" : sqlite3_errmsg(handle)));
}

}  // namespace

Database::Database(const std::string& path, Mode mode) {
  const int flags = mode == Mode::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  if (sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    const std::string why = handle_ == nullptr ? "out of memory" : sqlite3_errmsg(handle_);
    sqlite3_close(handle_);
    throw std::runtime_error("cannot open `" + path + "`: " + why);
  }
  sqlite3_busy_timeout(handle_, kBusyMilliseconds);
  // A commit is in the log when it returns, which the end of this process does not undo; only a power cut may.
  if (mode == Mode::write) execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
}

Database::~Database() { sqlite3_close(handle_); }

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail(handle_, sql.substr(0, 60));
}

bool Database::has_table(const std::string& name) {
  Statement find(*this, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  find.bind(1, name);
  return find.step();
}

std::string Database::quoted(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

Statement::Statement(Database& database, const std::string& sql) : database_(database.handle_) {
  if (sqlite3_prepare_v2(database_, sql.c_str(), -1, &handle_, nullptr) != SQLITE_OK)
    fail(database_, sql.substr(0, 60));
}

Statement::~Statement() { sqlite3_finalize(handle_); }

void Statement::bind(int index, std::int64_t value) { sqlite3_bind_int64(handle_, index, value); }
void Statement::bind(int index, double value) { sqlite3_bind_double(handle_, index, value); }
void Statement::bind(int index, std::string_view value) {
  sqlite3_bind_text(handle_, index, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
}

bool Statement::step() {
  const int result = sqlite3_step(handle_);
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) fail(database_, "a row cannot be read or written");
  sqlite3_reset(handle_);
  sqlite3_clear_bindings(handle_);
  return false;
}

int Statement::columns() const { return sqlite3_column_count(handle_); }
std::string Statement::column_name(int index) const { return sqlite3_column_name(handle_, index); }
bool Statement::is_null(int index) const { return sqlite3_column_type(handle_, index) == SQLITE_NULL; }
bool Statement::is_number(int index) const {
  const int type = sqlite3_column_type(handle_, index);
  return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}
std::int64_t Statement::integer(int index) const { return sqlite3_column_int64(handle_, index); }
double Statement::number(int index) const { return sqlite3_column_double(handle_, index); }
std::string Statement::text(int index) const {
  const auto* text = sqlite3_column_text(handle_, index);
  return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

}  // namespace archsim
