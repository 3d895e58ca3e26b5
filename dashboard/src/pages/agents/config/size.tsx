import { numberText, t } from '../../../lib/i18n.ts';
import { cx } from '../../../ui/cx.ts';

/** The maximum size of a configuration. */
const MAX_BYTES = 65_536;

const isObject = (json: string): boolean => {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

export interface ConfigState {
  readonly bytes: number;
  readonly isTooLarge: boolean;
  readonly isObject: boolean;
  readonly isValid: boolean;
}

export const configState = (json: string): ConfigState => {
  const bytes = new TextEncoder().encode(json.trim()).length;
  const isTooLarge = bytes > MAX_BYTES;
  const isJson = isObject(json);
  return { bytes, isTooLarge, isObject: isJson, isValid: isJson && !isTooLarge };
};

/** The size of the configuration, and why it cannot be saved. */
export const ConfigSize = ({ id, state }: { readonly id: string; readonly state: ConfigState }) => (
  <p
    id={id}
    className={cx('figure text-[0.8125rem]', state.isValid ? 'text-muted' : 'font-medium text-danger-ink')}
  >
    {t('{size} of {max} bytes', { size: numberText(state.bytes), max: MAX_BYTES })}
    <span aria-live="polite">
      {state.isTooLarge ? t(': too large') : state.isObject ? '' : t(': not valid JSON')}
    </span>
  </p>
);
