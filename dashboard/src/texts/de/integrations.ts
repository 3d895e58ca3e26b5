import type { Texts } from '../texts.ts';

export const integrations: Texts = {
  'Your CRM sends each contact here as a JSON POST request, with the secret as a bearer token.':
    'Ihr CRM sendet jeden Kontakt als JSON-POST-Anfrage hierher, mit dem Secret als Bearer-Token.',
  "Replace $INTEGRATION_SECRET with this integration's secret. The number becomes a contact.":
    'Ersetzen Sie $INTEGRATION_SECRET durch das Secret dieser Integration. Die Nummer wird ein Kontakt.',
  'The number becomes a contact.': 'Die Nummer wird ein Kontakt.',
  'New numbers create contacts with the source Webhook. For existing numbers, only the fields sent are updated.':
    'Neue Nummern werden Kontakte mit der Quelle Webhook. Bei bekannten Nummern ändern sich nur die gesendeten Felder.',
  'Invalid request': 'Ungültige Anfrage',
  'Wrong secret': 'Falsches Secret',
  'Conflicting contact': 'Konflikt mit einem Kontakt',
  'Request too large': 'Anfrage zu groß',
  'Not sent as JSON': 'Nicht als JSON gesendet',
  'Too many requests': 'Zu viele Anfragen',
  'Roster was overloaded': 'Roster war überlastet',
  'The request did not have the secret of this integration.':
    'Die Anfrage hatte ein anderes Secret als diese Integration.',
  'Check these fields: {fields}.': 'Prüfen Sie diese Felder: {fields}.',
  'The request has a field that Roster does not know.': 'Die Anfrage hat ein Feld, das Roster nicht kennt.',
  'The body is not a JSON object.': 'Der Inhalt ist kein JSON-Objekt.',
  Deliveries: 'Lieferungen',
  'Last contact received {time}.': 'Letzter Kontakt empfangen: {time}.',
  'No contact received yet.': 'Noch kein Kontakt empfangen.',
  'Last errors': 'Letzte Fehler',
  'The tool that sends contacts, e.g. your CRM.': 'Das Programm, das Kontakte sendet, z. B. Ihr CRM.',
  'Anyone who has it can create and update contacts through this integration. If you lose it, rotate it.':
    'Wer es hat, kann über diese Integration Kontakte erstellen und ändern. Wenn Sie es verlieren, erneuern Sie es.',
  'Last error': 'Letzter Fehler',
  'No error': 'Kein Fehler',
  'An integration lets a CRM or another tool send contacts to Roster.':
    'Über eine Integration sendet ein CRM oder ein anderes Programm Kontakte an Roster.',
  'Ask a workspace owner to create one.': 'Bitten Sie einen Inhaber, eine zu erstellen.',
  '# integration': {
    one: '# Integration',
    other: '# Integrationen',
  },
  'No integrations yet': 'Noch keine Integrationen',
  'Sync contacts from other tools.': 'Kontakte aus anderen Programmen übernehmen.',
  'It has its own endpoint and secret. Requests to it create and update contacts and store their CRM IDs.':
    'Sie hat einen eigenen Endpunkt und ein eigenes Secret. Anfragen erstellen und ändern Kontakte und speichern ihre CRM-IDs.',
  'Endpoint for your CRM': 'Endpunkt für Ihr CRM',
  'Delete integration': 'Integration löschen',
  'Its secret stops working immediately: requests that use it are rejected.':
    'Ihr Secret wird sofort ungültig: Anfragen damit werden abgelehnt.',
  'Contacts it created remain, with their CRM IDs.':
    'Die erstellten Kontakte bleiben mit ihren CRM-IDs erhalten.',
  "This can't be undone. A new integration gets a new secret and a new endpoint.":
    'Das kann nicht rückgängig gemacht werden. Eine neue Integration bekommt ein neues Secret und einen neuen Endpunkt.',
  'Renamed to {name}.': 'In {name} umbenannt.',
  'Rename integration': 'Integration umbenennen',
};
