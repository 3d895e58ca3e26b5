import { flagParam, type RawSearch, textParam } from '../../../lib/search-params.ts';

export interface IntegrationsSearch {
  /** The dialog that creates an integration is open. */
  readonly add?: true | undefined;
  /** The integration whose details are open. */
  readonly integration?: string | undefined;
}

export const parseIntegrationsSearch = (raw: RawSearch): IntegrationsSearch => ({
  add: flagParam(raw.add),
  integration: textParam(raw.integration),
});
