import { describeApi, describeDashboard } from '../wiring/documents.ts';
import type { RouteOptions } from '../wiring/routes.ts';
import type { Command, ParsedArgs } from './command.ts';
import { printText } from './output.ts';

/** Only the descriptions of the routes are used. */
const NO_PARTS = {} as RouteOptions;

const printDocument = ({ flag }: ParsedArgs): void => {
  const document = flag('dashboard') ? describeDashboard(NO_PARTS) : describeApi(NO_PARTS);
  printText(`${JSON.stringify(document, null, 2)}\n`);
};

export const openapiCommand: Command = {
  forms: {
    'roster openapi [--dashboard]': ['Prints the OpenAPI document of the /v1 API as JSON.', printDocument],
  },
  options: { dashboard: "Print the document of the dashboard's API instead." },
};
