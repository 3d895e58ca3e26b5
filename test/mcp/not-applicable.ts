/* The checks of the conformance suite that Roster does not pass, and why. The suite is written for an example server that has
 * certain tools, prompts and resources. */

const EXAMPLE_TOOL = 'needs a tool of the example server of the suite';
const NO_PROMPTS = 'Roster has no prompts and does not declare the capability';
const NO_COMPLETION = 'Roster has no completion and does not declare the capability';
const NO_LOGGING = 'Roster sends no log messages and does not declare the capability';
const NO_RESOURCES = 'Roster has no resources and does not declare the capability';

export const notApplicable: Readonly<Record<string, string>> = {
  'completion-complete': NO_COMPLETION,
  'logging-set-level': NO_LOGGING,
  'tools-call-with-logging': NO_LOGGING,
  'sep-2575-server-no-log-without-loglevel': NO_LOGGING,
  'resources-subscribe': NO_RESOURCES,
  'resources-unsubscribe': NO_RESOURCES,

  'prompts-list': NO_PROMPTS,
  'prompts-get-simple': NO_PROMPTS,
  'prompts-get-with-args': NO_PROMPTS,
  'prompts-get-embedded-resource': NO_PROMPTS,
  'prompts-get-with-image': NO_PROMPTS,
  'sep-2549-prompts-list-caching-hints': NO_PROMPTS,
  'sep-2322-non-tool-incomplete': NO_PROMPTS,

  'resources-list': NO_RESOURCES,
  'sep-2549-resources-list-caching-hints': NO_RESOURCES,
  'sep-2549-resources-templates-list-caching-hints': NO_RESOURCES,
  'resources-read-text': NO_RESOURCES,
  'resources-read-binary': NO_RESOURCES,
  'resources-templates-read': NO_RESOURCES,

  'tools-call-simple-text': EXAMPLE_TOOL,
  'tools-call-image': EXAMPLE_TOOL,
  'tools-call-audio': EXAMPLE_TOOL,
  'tools-call-embedded-resource': EXAMPLE_TOOL,
  'tools-call-mixed-content': EXAMPLE_TOOL,
  'tools-call-error': EXAMPLE_TOOL,
  'tools-call-with-progress': EXAMPLE_TOOL,
  'tools-call-sampling': EXAMPLE_TOOL,
  'tools-call-elicitation': EXAMPLE_TOOL,
  'json-schema-2020-12-tool-found': EXAMPLE_TOOL,
  'elicitation-sep1034-general': EXAMPLE_TOOL,
  'elicitation-sep1330-general': EXAMPLE_TOOL,
  'sep-2575-server-rejects-undeclared-capability': EXAMPLE_TOOL,
  'sep-2575-missing-capability-http-400': EXAMPLE_TOOL,
  'sep-2575-http-server-no-independent-requests-on-stream': EXAMPLE_TOOL,
  'sep-2243-server-no-xmcp-tool': EXAMPLE_TOOL,
  'sep-2243-server-decode-base64': EXAMPLE_TOOL,
  'sep-2243-server-validate-param-match': EXAMPLE_TOOL,
  'sep-2243-server-reject-invalid-param-chars': EXAMPLE_TOOL,
  'sep-2243-server-reject-param-mismatch': EXAMPLE_TOOL,
  'sep-2322-elicitation-incomplete': EXAMPLE_TOOL,
  'sep-2322-list-roots-incomplete': EXAMPLE_TOOL,
  'sep-2322-sampling-incomplete': EXAMPLE_TOOL,
  'sep-2322-respect-client-capabilities': EXAMPLE_TOOL,
  'sep-2322-multi-round-r1': EXAMPLE_TOOL,
  'sep-2322-multiple-inputs-incomplete': EXAMPLE_TOOL,
  'sep-2322-request-state-incomplete': EXAMPLE_TOOL,
  'sep-2322-result-type-included': EXAMPLE_TOOL,
  'sep-2322-reject-tampered-state': EXAMPLE_TOOL,
};
