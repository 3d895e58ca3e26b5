import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiQuery } from '../../../api/query.ts';
import { countText } from '../../../lib/format.ts';
import { cx } from '../../../ui/cx.ts';
import { isComposing } from '../../../ui/keyboard.tsx';

const MAX_SUGGESTIONS = 20;

/** Filters the list by a tag. A suggestion applies immediately, any other text on Enter or blur. */
export const TagFilter = ({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (tag: string) => void;
}) => {
  const [typed, setTyped] = useState(value);
  const [before, setBefore] = useState(value);
  const list = useId();
  if (before !== value) {
    setBefore(value);
    setTyped(value);
  }
  const tags = useQuery({
    ...apiQuery('/tags', { query: { search: typed || undefined, limit: MAX_SUGGESTIONS } }),
    placeholderData: keepPreviousData,
  });
  const offered = tags.data?.data ?? [];
  const choose = (tag: string) => tag !== value && onChange(tag);
  return (
    <>
      <input
        type="text"
        aria-label="Tag"
        placeholder="Any tag"
        list={list}
        autoComplete="off"
        dir="auto"
        className={cx('control min-w-0 flex-1 basis-36 sm:max-w-48', value && 'border-accent!')}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value === '' || offered.some(({ tag }) => tag === target.value)) choose(target.value);
        }}
        onKeyDown={(event) => event.key === 'Enter' && !isComposing(event) && choose(typed)}
        onBlur={() => choose(typed)}
      />
      <datalist id={list}>
        {offered.map(({ tag, count }) => (
          <option key={tag} value={tag}>
            {countText(count, 'contact')}
          </option>
        ))}
      </datalist>
    </>
  );
};
