import { flagIn, type RawSearch, textIn } from '../../app/address.ts';

export interface IntegrationsSearch {
  /** The dialog that creates an integration is open. */
  readonly add?: true | undefined;
  /** The integration whose details are open. */
  readonly integration?: string | undefined;
}

/** What the address of the list holds. */
export const integrationsSearch = (raw: RawSearch): IntegrationsSearch => ({
  add: flagIn(raw.add),
  integration: textIn(raw.integration),
});
