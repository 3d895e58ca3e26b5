import { createApiReference } from 'scalar-standalone';
import { loadDocument } from './document.ts';
import './reference.css';

createApiReference('#reference', {
  content: await loadDocument('/openapi.json'),
  // Nothing leaves the host. The Content-Security-Policy of the page enforces it, too.
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  // Only the reader's API key counts: a request with the cookie of a session besides is rejected.
  customFetch: (input: RequestInfo, init?: RequestInit) => fetch(input, { ...init, credentials: 'omit' }),
  // The reader's API key is forgotten when the page is closed.
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'key' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'json',
  modelsSectionLabel: 'Schemas',
  orderSchemaPropertiesBy: 'preserve',
  favicon: '/favicon.svg',
});
