#pragma once
// Three numbers of any kind. The formulas of this folder are written once and evaluated twice: in
// doubles, to find an answer, and in rationals, to prove it.

#include "abut/types.h"

namespace abut::verify {

template <class T>
struct Triple {
  T x{0}, y{0}, z{0};
};

template <class T>
Triple<T> operator+(const Triple<T>& a, const Triple<T>& b) {
  return {T(a.x + b.x), T(a.y + b.y), T(a.z + b.z)};
}

template <class T>
Triple<T> operator-(const Triple<T>& a, const Triple<T>& b) {
  return {T(a.x - b.x), T(a.y - b.y), T(a.z - b.z)};
}

template <class T>
Triple<T> operator*(const T& factor, const Triple<T>& a) {
  return {T(factor * a.x), T(factor * a.y), T(factor * a.z)};
}

template <class T>
T dot(const Triple<T>& a, const Triple<T>& b) {
  return T(a.x * b.x + a.y * b.y + a.z * b.z);
}

template <class T>
Triple<T> cross(const Triple<T>& a, const Triple<T>& b) {
  return {T(a.y * b.z - a.z * b.y), T(a.z * b.x - a.x * b.z), T(a.x * b.y - a.y * b.x)};
}

template <class T>
T squared_norm(const Triple<T>& a) {
  return dot(a, a);
}

inline Triple<double> triple(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

}  // namespace abut::verify
