# Compiles a folder at a time instead of a file at a time. Most of the time of a file goes into the
# headers and templates that its neighbours need as well: a folder takes a quarter of the time of its
# files. The price is paid by who changes one file, so that the `dev` preset leaves it off; and names
# must be unique within a folder, which they should be for the reader's sake too.
option(ABUT_BY_FOLDER "Compile a folder at a time" OFF)

function(abut_compile_by_folder target)
  if(NOT ABUT_BY_FOLDER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    if(source MATCHES "\\.cpp$")
      get_filename_component(folder ${source} DIRECTORY)
      file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
      string(REPLACE "/" "_" folder ${folder})
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
    endif()
  endforeach()
endfunction()
