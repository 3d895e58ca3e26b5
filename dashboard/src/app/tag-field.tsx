import { Field, type FieldProps } from '../ui/field.tsx';
import { useSuggestions } from '../ui/suggestions.tsx';
import { tagOptions, useKnownTags } from './known-tags.ts';

/** A field for one tag, with suggestions. */
export const TagField = ({
  value,
  onChange,
  placeholder,
  ...field
}: FieldProps & {
  readonly value: string;
  readonly onChange: (tag: string) => void;
  readonly placeholder?: string;
}) => {
  const options = tagOptions(useKnownTags([], value), value).filter((each) => each.value !== value);
  const { control, list, open } = useSuggestions(options, onChange);
  return (
    <div data-suggests className="min-w-0">
      <Field {...field}>
        {(own) => (
          <input
            {...own}
            {...control}
            maxLength={64}
            dir="auto"
            className="control"
            placeholder={placeholder}
            value={value}
            onChange={({ target }) => {
              onChange(target.value);
              open();
            }}
          />
        )}
      </Field>
      {list}
    </div>
  );
};
