// SQLite, as much of it as results need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace archsim {

/// Failures of the file system or of the file throw std::runtime_error.
class Database {
 public:
  enum class Mode { read, write };
  Database(const std::string& path, Mode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const std::string& sql);
  bool has_table(const std::string& name);

  /// `"npu.rows"`, as SQL wants a name.
  static std::string quoted(std::string_view name);

 private:
  friend class Statement;
  sqlite3* handle_ = nullptr;
};

class Statement {
 public:
  Statement(Database& database, const std::string& sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Parameters count from 1; what is not bound is NULL.
  void bind(int index, std::int64_t value);
  void bind(int index, double value);
  void bind(int index, std::string_view value);

  /// The next row; false at the end, and the statement can be bound and run again.
  bool step();

  // Columns count from 0.
  int columns() const;
  std::string column_name(int index) const;
  bool is_null(int index) const;
  bool is_number(int index) const;
  std::int64_t integer(int index) const;
  double number(int index) const;
  std::string text(int index) const;

 private:
  sqlite3_stmt* handle_ = nullptr;
  sqlite3* database_ = nullptr;
};

}  // namespace archsim
