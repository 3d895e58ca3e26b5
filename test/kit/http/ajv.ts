import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** Both packages are CommonJS modules with their export in `default`. */
export const addFormats = formats.default;
export { Ajv2020 };
