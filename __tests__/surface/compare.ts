type AnyFunction = (...args: never[]) => unknown;

/** What an application that calls finds: `true`, or what is wrong. Parameters are compared strictly, also those of methods. */
type Called<Ours, Official> = [Official] extends [AnyFunction]
  ? [Ours] extends [AnyFunction]
    ? [Parameters<Official>] extends [Parameters<Ours>]
      ? [ReturnType<Ours>] extends [ReturnType<Official>]
        ? true
        : "gives something else"
      : "takes less"
    : "cannot be called"
  : [Ours] extends [Official]
    ? true
    : "reads differently";

/** What a subclass that overrides, or an application that writes, finds: `true`, or what is wrong. */
type Overridden<Ours, Official> = [Official] extends [Ours] ? true : "refuses the official type";

/** What is wrong in the one direction of use or the other. */
type Wrong<Ours, Official> = 0 extends 1 & Official
  ? never
  : Exclude<Called<Ours, Official> | Overridden<Ours, Official>, true>;

/** Every key of the official type that is missing or narrower here, with what is wrong. Empty where all is well. */
export type Differing<Ours, Official> = {
  [K in keyof Official as K extends keyof Ours
    ? [Wrong<Ours[K], Official[K]>] extends [never]
      ? never
      : K
    : K]: K extends keyof Ours ? Wrong<Ours[K], Official[K]> : "missing";
};

/** The official types, with those in their place that differ on purpose. */
export type Adjusted<Official, Deliberate> = Omit<Official, keyof Deliberate> & Deliberate;
