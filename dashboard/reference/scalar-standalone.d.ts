/** The bundle that Scalar publishes for browsers. Its own types need the packages that it contains. */
declare module 'scalar-standalone' {
  export const createApiReference: (selector: string, configuration: Record<string, unknown>) => unknown;
}
