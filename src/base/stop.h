#pragma once
// The wish that work be ended, which loops that may be long look at.
//
// Whoever starts some work says how the wish is asked for. Loops inside of it, however deep, call
// stop_if_wished(), which ends them and all around them by an exception. A wish belongs to the
// thread that said it; ThreadPool hands it on to the threads that it uses.

#include <functional>

namespace abut::base {

/// Thrown where work ends because that is wished.
struct Stopped {};

/// Whether the work is to end. Asked by several threads at once, and often.
using StopWish = std::function<bool()>;

/// While it lives, loops of this thread ask `wish` (null: none), which must live as long.
class StopScope {
 public:
  explicit StopScope(const StopWish* wish) : before_(current_) { current_ = wish; }
  ~StopScope() { current_ = before_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  /// What loops of this thread ask; null: nothing.
  static const StopWish* current() { return current_; }

 private:
  inline static thread_local const StopWish* current_ = nullptr;
  const StopWish* before_;
};

inline void stop_if_wished() {
  const StopWish* wish = StopScope::current();
  if (wish != nullptr && *wish && (*wish)()) throw Stopped{};
}

}  // namespace abut::base
