import type { Texts } from '../texts.ts';

/** The configuration of versions. */
export const config: Texts = {
  Configuration: 'Konfiguration',
  'Instructions and configuration': 'Anweisungen und Konfiguration',
  'Parts of the version': 'Teile der Version',
  '(edited)': '(bearbeitet)',
  Format: 'Formatieren',
  Schema: 'Schema',
  'Configuration of {label}': 'Konfiguration von {label}',
  'Copy configuration': 'Konfiguration kopieren',
  'This version has no configuration.': 'Diese Version hat keine Konfiguration.',
  'The schema of this agent completes names and values: type a quote, or press Ctrl Space.':
    'Das Schema dieses Agenten ergänzt Namen und Werte: Tippen Sie ein Anführungszeichen, oder drücken Sie Strg Leertaste.',
  'What else your runtime needs, such as the model, the voice and tools. Write secrets as references: "$secret:name".':
    'Was Ihr Sprach- oder Chatdienst sonst braucht, etwa Modell, Stimme und Werkzeuge. Schreiben Sie Geheimnisse als Verweise: "$secret:name".',
  'The configuration is not valid. Nothing was saved.':
    'Die Konfiguration ist nicht gültig. Es wurde nichts gespeichert.',
  '{size} of {max} bytes': '{size} von {max} Bytes',
  ': too large': ': zu groß',
  ': not valid JSON': ': kein gültiges JSON',
  'Line {line}:': 'Zeile {line}:',
  required: 'erforderlich',
  default: 'Standard',
  'and # more problem': { one: 'und # weiteres Problem', other: 'und # weitere Probleme' },
  'A comma is missing here.': 'Hier fehlt ein Komma.',
  'A colon is missing here.': 'Hier fehlt ein Doppelpunkt.',
  'A name in double quotes is missing here.': 'Hier fehlt ein Name in doppelten Anführungszeichen.',
  'A value is missing here.': 'Hier fehlt ein Wert.',
  'A closing bracket is missing at the end.': 'Am Ende fehlt eine schließende Klammer.',
  'The closing quote is missing.': 'Das schließende Anführungszeichen fehlt.',
  'This is no JSON value. Texts need double quotes.':
    'Das ist kein JSON-Wert. Texte brauchen doppelte Anführungszeichen.',
  'Nothing may follow the closing bracket.': 'Nach der schließenden Klammer darf nichts mehr folgen.',
  'This must be a JSON object: { … }.': 'Das muss ein JSON-Objekt sein: { … }.',
  'This name is used twice.': 'Dieser Name kommt zweimal vor.',
  'The schema does not allow this.': 'Das Schema lässt das nicht zu.',
  'This must be of the type {types}.': 'Das muss vom Typ {types} sein.',
  'The property {name} is missing.': 'Die Eigenschaft {name} fehlt.',
  'This must be one of {values}.': 'Möglich sind: {values}.',
  'This does not match “{keyword}” of the schema.': 'Das entspricht nicht „{keyword}“ im Schema.',
  'Schema of the configuration': 'Schema der Konfiguration',
  'A JSON Schema (draft 2020-12). New versions must match it; existing ones stay as they are.':
    'Ein JSON-Schema (Entwurf 2020-12). Neue Versionen müssen ihm entsprechen, vorhandene bleiben, wie sie sind.',
  'Descriptions, enumerations and examples in it help everyone who edits the configuration.':
    'Beschreibungen, Aufzählungen und Beispiele darin helfen allen, die die Konfiguration bearbeiten.',
  'The schema is not valid. Nothing was saved.': 'Das Schema ist nicht gültig. Es wurde nichts gespeichert.',
  'Schema saved. It applies to new versions.': 'Schema gespeichert. Es gilt für neue Versionen.',
  'Remove schema': 'Schema entfernen',
  'Remove the schema?': 'Schema entfernen?',
  'New versions can then have any configuration.':
    'Neue Versionen können dann jede beliebige Konfiguration haben.',
  'The configurations of versions stay as they are.':
    'Die Konfigurationen der Versionen bleiben, wie sie sind.',
  'Schema removed.': 'Schema entfernt.',
  Changed: 'Geändert',
  'now:': 'jetzt:',
  'before:': 'vorher:',
  'Changes of the configuration': 'Änderungen der Konfiguration',
  'the whole configuration': 'die ganze Konfiguration',
  'and # more change': { one: 'und # weitere Änderung', other: 'und # weitere Änderungen' },
  'Changes since {label}': 'Änderungen seit {label}',
  'The versions are identical.': 'Die Versionen sind gleich.',
  'The versions differ only in how the configuration is formatted.':
    'Die Versionen unterscheiden sich nur darin, wie die Konfiguration formatiert ist.',
  'The instructions are identical.': 'Die Anweisungen sind gleich.',
  'The configurations are identical.': 'Die Konfigurationen sind gleich.',
  'The edited configuration is not valid JSON yet.':
    'Die bearbeitete Konfiguration ist noch kein gültiges JSON.',
  '# change of the configuration': {
    one: '# Änderung der Konfiguration',
    other: '# Änderungen der Konfiguration',
  },
  'No changes to the deployed configuration': 'Keine Änderungen an der bereitgestellten Konfiguration',
  'The configuration is empty': 'Die Konfiguration ist leer',
};
