// Headers that nearly every test needs and that are slow to parse.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
