import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { PLACEHOLDER, suggestionFor, unknownVariablesIn } from '../../api/placeholders.gen.ts';
import { plural, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { rich } from '../../ui/rich.tsx';

const DELAY_MS = 700;
const MAX_SHOWN = 4;

/** The text once typing pauses, because a placeholder that is still being typed is not a mistake. */
const useDebounced = (text: string): string => {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
};

const replaced = (text: string, placeholder: string, variable: string): string =>
  text.replace(PLACEHOLDER, (match) => (match === placeholder ? `{{${variable}}}` : match));

/** An unknown variable, and the contact field that was probably meant. */
export const UnknownVariable = ({
  placeholder,
  suggestion,
}: {
  readonly placeholder: string;
  readonly suggestion: string | null | undefined;
}) => {
  const variable = <code className="font-mono">{placeholder}</code>;
  return suggestion
    ? rich('{variable} – did you mean {suggestion}?', {
        variable,
        suggestion: <code className="font-mono">{`{{${suggestion}}}`}</code>,
      })
    : rich('{variable} is not a contact field.', { variable });
};

/** Lists placeholders that are not contact fields, with a button to fix each. */
export const UnknownVariables = ({
  text,
  onChange,
}: {
  readonly text: string;
  readonly onChange: (text: string) => void;
}) => {
  const debounced = unknownVariablesIn(useDebounced(text)).map(({ placeholder }) => placeholder);
  const unknown = unknownVariablesIn(text).filter(({ placeholder }) => debounced.includes(placeholder));
  return (
    <div aria-live="polite">
      {unknown.length > 0 && (
        <div className="flex gap-3 bg-warn-soft px-3.5 py-2.5 text-sm text-warn-ink">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
          <div className="min-w-0 flex-1">
            <p>
              {plural(
                unknown.length,
                '# unknown variable. It may be read out literally.',
                '# unknown variables. They may be read out literally.',
              )}
            </p>
            <ul aria-label={t('Unknown variables')} className="mt-1 flex flex-col gap-1">
              {unknown.slice(0, MAX_SHOWN).map(({ placeholder, name }) => {
                const variable = suggestionFor(name);
                return (
                  <li key={placeholder} className="flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1">
                    <span className="min-w-0 wrap-anywhere">
                      <UnknownVariable placeholder={placeholder} suggestion={variable} />
                    </span>
                    {variable && (
                      <Button
                        size="small"
                        aria-label={t('Replace {placeholder} with {variable}', {
                          placeholder,
                          variable: `{{${variable}}}`,
                        })}
                        onClick={() => onChange(replaced(text, placeholder, variable))}
                      >
                        {t('Replace')}
                      </Button>
                    )}
                  </li>
                );
              })}
              {unknown.length > MAX_SHOWN && (
                <li>{t('and {count} more', { count: unknown.length - MAX_SHOWN })}</li>
              )}
            </ul>
          </div>
        </div>
      )}
    </div>
  );
};
