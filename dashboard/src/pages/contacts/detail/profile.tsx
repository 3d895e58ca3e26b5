import type { ContactWithCrmIds } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { type ProfileField, profileLabels } from '../../../records/contacts/labels.ts';
import { InlineEdit } from '../../../ui/inline-edit.tsx';
import { Section } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.tsx';
import type { MarkDirty } from './dirty-fields.ts';
import { TagsEdit } from './edit-tags.tsx';
import { PhoneLine } from './phone-number.tsx';
import type { Save } from './save.tsx';
import { undoTags } from './undo-tags.ts';

type TextField = Exclude<ProfileField, 'phone_number' | 'tags'>;

const maxLengths: Record<TextField, number> = {
  first_name: 100,
  last_name: 100,
  display_name: 200,
  email: 254,
  company: 200,
  notes: 2000,
};

interface EditProps {
  readonly contact: ContactWithCrmIds;
  readonly save: Save;
  readonly onDirty: MarkDirty;
}

const TextEdit = ({ name, contact, save, onDirty }: EditProps & { readonly name: TextField }) => (
  <InlineEdit
    label={profileLabels[name]}
    field={name}
    value={contact[name] ?? ''}
    maxLength={maxLengths[name]}
    type={name === 'email' ? 'email' : 'text'}
    multiline={name === 'notes'}
    placeholder={name === 'notes' ? t('Add a note') : t('Not set')}
    onSave={(value, before) => save({ [name]: value || null }, { [name]: before || null })}
    onDirty={(isDirty) => onDirty(name, isDirty)}
  />
);

/** Saves the tags and offers to undo that. */
const saveTags = async (
  id: string,
  save: Save,
  tags: readonly string[],
  before: readonly string[],
): Promise<void> => {
  await save({ tags: [...tags] }, { tags: [...before] });
  toast.undo(t('Tags changed.'), () => undoTags(id, before, tags));
};

/** The profile of a contact, with inline editing. */
export const Profile = ({ onPhone, ...props }: EditProps & { readonly onPhone: () => void }) => (
  <Section title={t('Profile')}>
    <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
      <PhoneLine phone={props.contact.phone_number} onChange={onPhone} />
      <TextEdit name="email" {...props} />
      <TextEdit name="first_name" {...props} />
      <TextEdit name="last_name" {...props} />
      <TextEdit name="display_name" {...props} />
      <TextEdit name="company" {...props} />
      <div className="sm:col-span-2">
        <TagsEdit
          value={props.contact.tags}
          onSave={(tags, before) => saveTags(props.contact.id, props.save, tags, before)}
          onDirty={(isDirty) => props.onDirty('tags', isDirty)}
        />
      </div>
      <div className="sm:col-span-2">
        <TextEdit name="notes" {...props} />
      </div>
    </div>
  </Section>
);
