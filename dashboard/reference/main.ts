/** The page must not evaluate text as a script. Zod tries whether it may when it is loaded, unless this is set before. */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

void import('./reference.ts');
