import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** Both packages are CommonJS; their one export stands under `default`. */
export const addFormats = formats.default;
export { Ajv2020 };
