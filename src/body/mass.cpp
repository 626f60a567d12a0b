#include "body/mass.h"

namespace abut::body {

Mass mass_from(const shape::Moments& moments) {
  const shape::PrincipalAxes principal = shape::principal_axes(moments.inertia);
  Mass mass;
  mass.volume = moments.volume;
  mass.mass = moments.mass;
  mass.inertia = moments.inertia;
  mass.principal = principal.moments;
  mass.central = {moments.centre, principal.axes};
  return mass;
}

Pose central_from_body(const Mass& mass, const Pose& body) {
  return {body.position + body.orientation * mass.central.position,
          body.orientation * mass.central.orientation};
}

Pose body_from_central(const Mass& mass, const Pose& central) {
  const Quat orientation = central.orientation * mass.central.orientation.conjugate();
  return {central.position - orientation * mass.central.position, orientation};
}

}  // namespace abut::body
