#pragma once
// Gaps and joints brought back to where they must be, by the smallest shifts of the bodies in the
// mass metric.

#include "loop/event_bodies.h"

namespace abut::loop {

/// So that no gap is below the rest gap and joints are closed. The bodies are as observed, before
/// and after.
void restore_gaps(EventBodies& bodies);

/// Contacts that last are found at any gap that counts as touching, and are best kept at the rest
/// gap. They are brought there while those that do not last are still watched: none of these may
/// come nearer than the rest gap, or than it is. Contacts almost in line would turn a body far for
/// that: then they stay about where they are. Notes the gaps they are to be kept at from here on.
void close_up(EventBodies& bodies, const std::vector<bool>& lasts,
              std::vector<contact::Contact>& lasting);

}  // namespace abut::loop
