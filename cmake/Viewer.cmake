# The player of report.html (apps/viewer): one page, made by Vite from TypeScript, built into the
# library. Without Node.js everything else is built all the same, and reports say that they have no
# player.
option(ABUT_VIEWER "Build the player into the program, if Node.js is there" ON)

find_program(NODE_PROGRAM node)
find_program(NPM_PROGRAM npm)
if(ABUT_VIEWER AND NODE_PROGRAM AND NPM_PROGRAM)
  set(ABUT_HAS_VIEWER ON)
else()
  set(ABUT_HAS_VIEWER OFF)
  if(ABUT_VIEWER)
    message(STATUS "Abut: node and npm not found: reports will have no player")
  endif()
endif()

if(ABUT_HAS_VIEWER)
  set(viewer ${PROJECT_SOURCE_DIR}/apps/viewer)
  set(ABUT_VIEWER_PAGE ${PROJECT_BINARY_DIR}/viewer/index.html)
  file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS ${viewer}/src/*)

  # The packages lie beside the sources, since that is where tools look for them, and are shared by
  # all build directories. npm leaves this file when it is done.
  set(packages ${viewer}/node_modules/.package-lock.json)
  add_custom_command(OUTPUT ${packages}
    COMMAND ${NPM_PROGRAM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${packages}
    DEPENDS ${viewer}/package.json ${viewer}/package-lock.json
    WORKING_DIRECTORY ${viewer}
    COMMENT "Installing the packages of the player" VERBATIM)
  add_custom_command(OUTPUT ${ABUT_VIEWER_PAGE}
    COMMAND ${NODE_PROGRAM} node_modules/typescript/bin/tsc --noEmit
    COMMAND ${NODE_PROGRAM} node_modules/vite/bin/vite.js build --logLevel warn
      --outDir ${PROJECT_BINARY_DIR}/viewer
    COMMAND ${CMAKE_COMMAND} -E touch ${ABUT_VIEWER_PAGE}
    DEPENDS ${packages} ${viewer_sources} ${viewer}/index.html ${viewer}/vite.config.ts
      ${viewer}/tsconfig.json
    WORKING_DIRECTORY ${viewer}
    COMMENT "Building the player" VERBATIM)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/record/viewer_page.cpp PROPERTIES
    OBJECT_DEPENDS ${ABUT_VIEWER_PAGE}
    COMPILE_DEFINITIONS "ABUT_VIEWER_PAGE=\"${ABUT_VIEWER_PAGE}\"")
endif()
