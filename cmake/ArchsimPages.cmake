# What HTML pages are made of, as bytes in the program: target archsim_pages, from app/web and the chart library that
# app/web/package-lock.json names (npm ci). Pages need nothing from anywhere when they are looked at.
find_program(NPM_BIN NAMES npm)

set(pages_folder ${PROJECT_BINARY_DIR}/web)
set(chart_library ${pages_folder}/echarts.min.js)
file(MAKE_DIRECTORY ${pages_folder})
add_custom_command(
  OUTPUT ${chart_library}
  COMMAND ${CMAKE_COMMAND} -DNPM=${NPM_BIN} -DFROM=${PROJECT_SOURCE_DIR}/app/web -DFOLDER=${pages_folder}
    -P ${PROJECT_SOURCE_DIR}/cmake/fetch_charts.cmake
  DEPENDS ${PROJECT_SOURCE_DIR}/app/web/package.json ${PROJECT_SOURCE_DIR}/app/web/package-lock.json
    ${PROJECT_SOURCE_DIR}/cmake/fetch_charts.cmake
  COMMENT "Fetching the chart library"
  VERBATIM)

file(GLOB page_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/app/web/*.js ${PROJECT_SOURCE_DIR}/app/web/*.css)
set(ARCHSIM_PAGE_BYTES "")
set(ARCHSIM_PAGE_LIST "")
foreach(file ${page_files} ${chart_library})
  cmake_path(GET file FILENAME name)
  string(MAKE_C_IDENTIFIER "archsim_page_${name}" symbol)
  string(APPEND ARCHSIM_PAGE_BYTES
    "ARCHSIM_BYTES(${symbol}, \"${file}\")\n")
  string(APPEND ARCHSIM_PAGE_LIST
    "    {\"${name}\", {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}},\n")
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/pages.cpp.in ${pages_folder}/pages.cpp @ONLY)
set_source_files_properties(${pages_folder}/pages.cpp PROPERTIES OBJECT_DEPENDS "${page_files};${chart_library}")
add_library(archsim_pages STATIC ${pages_folder}/pages.cpp)
target_include_directories(archsim_pages PUBLIC ${PROJECT_SOURCE_DIR})
