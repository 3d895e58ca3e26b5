import { useEffect, useRef, useState } from 'react';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Call } from '../../../api/types.gen.ts';
import { TagInput } from '../../../app/tag-input.tsx';
import { t } from '../../../lib/i18n.ts';
import { CallTags, useCallTags } from '../../../records/calls/tags.tsx';
import { type InlineControl, InlineEdit } from '../../../ui/inline-edit.tsx';

const useKnownCallTags = () => useCallTags() ?? [];
const toTags = (lines: string): string[] => lines.split('\n').filter(Boolean);

/** Enter saves, unless it adds a tag. */
const TagControl = ({ label, error, value, onChange, onKeyDown }: InlineControl) => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is a shortcut for the Cancel button, Enter for Save
    <div ref={box} onKeyDown={(event) => !event.defaultPrevented && onKeyDown(event)}>
      <TagInput
        label={label}
        error={error}
        hint={t('Press Enter or comma to add a tag, and Enter again to save.')}
        value={toTags(value)}
        onChange={(next) => onChange(next.join('\n'))}
        useKnown={useKnownCallTags}
      />
    </div>
  );
};

/** The note and the tags of a call, which the team edits. Nothing can be added after the contact was deleted. */
export const Remarks = ({
  call: { id, note, tags, number },
  onDirty,
}: {
  readonly call: Call;
  readonly onDirty: (isDirty: boolean) => void;
}) => {
  const [dirty, setDirty] = useState({ note: false, tags: false });
  const report = (change: Partial<typeof dirty>) => {
    const next = { ...dirty, ...change };
    setDirty(next);
    onDirty(next.note || next.tags);
  };
  const save = async (body: { readonly note?: string; readonly tags?: string[] }) => {
    await call('PATCH', '/calls/{id}', { params: { id }, body });
    await invalidate('/calls');
  };
  if (number === null) return null;
  return (
    <section aria-label={t('Note and tags')} className="space-y-2 border-b border-line pb-3">
      <InlineEdit
        label={t('Note')}
        field="note"
        multiline
        maxLength={2_000}
        placeholder={t('Add a note')}
        value={note ?? ''}
        canClear
        onSave={(next) => save({ note: next })}
        onDirty={(isDirty) => report({ note: isDirty })}
      />
      <InlineEdit
        label={t('Tags')}
        field="tags"
        placeholder={t('Add tags')}
        value={tags.join('\n')}
        show={(lines) => <CallTags tags={toTags(lines)} />}
        onSave={(lines) => save({ tags: toTags(lines) })}
        onDirty={(isDirty) => report({ tags: isDirty })}
        control={(control) => <TagControl {...control} />}
      />
    </section>
  );
};
