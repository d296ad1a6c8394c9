# FOLDER/echarts.min.js by `npm ci` from the lock file in FROM. Without npm or network it is made empty: the program then says
# so where a page with charts is asked for, and everything else is as ever.
file(COPY ${FROM}/package.json ${FROM}/package-lock.json DESTINATION ${FOLDER})
set(from_npm ${FOLDER}/node_modules/echarts/dist/echarts.min.js)
foreach(attempt 1 2)
  if(NPM)
    execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline
      WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE why TIMEOUT 240)
  else()
    set(failed 1)
    set(why "there is no npm")
  endif()
  if(NOT failed AND EXISTS ${from_npm})
    configure_file(${from_npm} ${FOLDER}/echarts.min.js COPYONLY)
    return()
  endif()
endforeach()
message(WARNING "No chart library, so no HTML pages in this build: ${why}\n"
  "Install npm (scripts/setup does), remove ${FOLDER}/echarts.min.js and build again.")
file(WRITE ${FOLDER}/echarts.min.js "")
