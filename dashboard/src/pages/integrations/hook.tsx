import { Code } from '../../app/code.tsx';

const NO_SECRET = '$INTEGRATION_SECRET';

const exampleText = (address: string, secret: string): string =>
  [
    `curl -s "${address}" \\`,
    `  -H "Authorization: Bearer ${secret}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"phone_number": "+14155550123", "first_name": "Ada", "crm_ids": {"hubspot": "551"}}'`,
  ].join('\n');

/** What a CRM calls, as docs/HOOKS.md describes it. */
export const Hook = ({
  id,
  secret = NO_SECRET,
}: {
  readonly id: string;
  /** Known only when the integration was just made. */
  readonly secret?: string;
}) => {
  const address = `${location.origin}/hooks/contacts/${id}`;
  return (
    <div className="flex flex-col gap-4">
      <Code
        label="Address"
        text={address}
        hint="Your CRM sends each contact here with POST, as JSON, with the secret as its bearer token."
      />
      <Code
        label="Example to try in a terminal"
        text={exampleText(address, secret)}
        hint={
          secret === NO_SECRET
            ? 'Put the secret of this integration in the place of its name. The number becomes a contact.'
            : 'The number becomes a contact.'
        }
      />
      <p className="text-[0.8125rem] text-muted">
        A number that nobody has becomes a contact with the source Webhook. Otherwise that contact is updated:
        fields that are sent change, what is not sent stays.
      </p>
    </div>
  );
};
