import { ApiError } from './errors.ts';

export const isForm = (type = '') => /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type);

const MAX_FIELDS = 500;

/** `URLSearchParams` takes quadratic time in the number of fields, so they are counted first. */
export const parseForm = (text: string): URLSearchParams => {
  let fields = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    if (++fields > MAX_FIELDS)
      throw new ApiError(
        'PAYLOAD_TOO_LARGE',
        `The form has more than ${MAX_FIELDS} fields. Send fewer fields.`,
      );
  }
  return new URLSearchParams(text);
};
