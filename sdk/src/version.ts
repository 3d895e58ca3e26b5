/** The version of this package, which is that of the service it was built with. */
export const VERSION = '1.0.0-rc.1';
