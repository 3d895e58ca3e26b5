import { useEffect, useRef, useState } from 'react';
import { TagInput } from '../../../app/tag-input.tsx';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { DiscardDialog } from '../../../ui/confirm.tsx';
import { isComposing } from '../../../ui/keyboard.tsx';

/** What is edited. After a rejected save it has the tags that were not saved, and why. */
export interface Draft {
  readonly before: readonly string[];
  readonly tags: readonly string[];
  readonly error?: string;
}

const TagsForm = ({
  draft: { before, tags: initial, error },
  onSave,
  onDirty,
  onClose,
}: {
  readonly draft: Draft;
  readonly onSave: (tags: string[], before: readonly string[]) => Promise<void>;
  readonly onDirty: (isDirty: boolean) => void;
  readonly onClose: () => void;
}) => {
  const [tags, setTags] = useState([...initial]);
  const [isConfirming, setConfirming] = useState(false);
  const isDirty = JSON.stringify(tags) !== JSON.stringify(before);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);
  const onDirtyRef = useRef(onDirty);
  onDirtyRef.current = onDirty;
  useEffect(() => {
    onDirtyRef.current(isDirty);
    return () => onDirtyRef.current(false);
  }, [isDirty]);
  const cancel = () => (isDirty ? setConfirming(true) : onClose());
  const save = () => (isDirty ? void onSave(tags, before) : onClose());
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is a shortcut for the Cancel button, Enter for Save
    <div
      ref={box}
      className="flex flex-col gap-2"
      // React also bubbles key events of the confirmation dialog, which is in a portal.
      onKeyDown={(event) => {
        const { key, target } = event;
        if (!event.currentTarget.contains(target as Node) || isComposing(event)) return;
        if (key === 'Escape') cancel();
        // Enter that adds a tag is already handled.
        if (key === 'Enter' && target instanceof HTMLInputElement && !event.defaultPrevented) save();
      }}
    >
      <TagInput
        label={t('Tags')}
        hint={t('Press Enter or comma to add a tag, and Enter again to save.')}
        value={tags}
        onChange={setTags}
        error={error}
      />
      <div className="flex gap-2">
        <Button variant="primary" size="small" onClick={save}>
          {t('Save')}
        </Button>
        <Button size="small" onClick={cancel}>
          {t('Cancel')}
        </Button>
      </div>
      <DiscardDialog open={isConfirming} onOpenChange={setConfirming} onConfirm={onClose}>
        {t("Your changes to the tags haven't been saved and will be lost.")}
      </DiscardDialog>
    </div>
  );
};

export default TagsForm;
