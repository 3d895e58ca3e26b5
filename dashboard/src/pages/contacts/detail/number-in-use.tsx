import { Link } from '@tanstack/react-router';
import { errorDetail } from '../../../api/api-error.ts';
import { t } from '../../../lib/i18n.ts';
import { Notice } from '../../../ui/notice.tsx';

/** The id of the contact that already has the number, if that is why a change was rejected. */
export const existingContactId = (error: unknown): string | undefined =>
  errorDetail(error, 'existing_contact_id');

export const NumberInUse = ({ error }: { readonly error: unknown }) => {
  const id = existingContactId(error);
  return (
    id && (
      <Notice
        tone="danger"
        action={
          <Link to="/contacts/$id" params={{ id }} className="font-medium underline">
            {t('Open contact')}
          </Link>
        }
      >
        {t('Another contact already has this phone number. Nothing was changed.')}
      </Notice>
    )
  );
};
