import type { Texts } from '../texts.ts';

export const settings: Texts = {
  Account: 'Konto',
  'Changing your password signs you out on all other devices.':
    'Wenn Sie Ihr Passwort ändern, werden Sie auf allen anderen Geräten abgemeldet.',
  'Password changed.': 'Passwort geändert.',
  'Enter your current password.': 'Geben Sie Ihr aktuelles Passwort ein.',
  'Current password': 'Aktuelles Passwort',
  'Change password': 'Passwort ändern',
  'API keys': 'API-Schlüssel',
  Members: 'Mitglieder',
  'Workspace renamed to {name}.': 'Arbeitsbereich in {name} umbenannt.',
  'This name is not available. Choose another one.':
    'Dieser Name ist nicht verfügbar. Wählen Sie einen anderen.',
  'People in several workspaces sign in with this name.':
    'Wer in mehreren Arbeitsbereichen ist, meldet sich mit diesem Namen an.',
  'Only owners can change this.': 'Das können nur Inhaber ändern.',
  'Default country removed.': 'Standardland entfernt.',
  "Used for phone numbers without a country code, typed here or imported from a file. Existing contacts don't change.":
    'Gilt für Telefonnummern ohne Landesvorwahl, die hier eingegeben oder importiert werden. Bestehende Kontakte ändern sich nicht.',
  'None: numbers need a country code': 'Keines: Nummern brauchen eine Landesvorwahl',
  '{email} is now an owner.': '{email} ist jetzt Inhaber.',
  '{email} is now a member.': '{email} ist jetzt Mitglied.',
  'Make {email} an owner?': '{email} zum Inhaber machen?',
  'Make {email} a member?': '{email} zum Mitglied machen?',
  'Make an owner': 'Zum Inhaber machen',
  'Make a member': 'Zum Mitglied machen',
  'They can create and revoke API keys, add and remove members, and create integrations.':
    'Die Person kann API-Schlüssel erstellen und widerrufen, Mitglieder hinzufügen und entfernen und Integrationen erstellen.',
  'They can remove the owner role from others, including you.':
    'Die Person kann anderen die Inhaberrolle entziehen, auch Ihnen.',
  'You can no longer manage API keys, members, integrations and workspace settings.':
    'Sie können API-Schlüssel, Mitglieder, Integrationen und Einstellungen nicht mehr verwalten.',
  'They can no longer manage API keys, members, integrations and workspace settings.':
    'Die Person kann API-Schlüssel, Mitglieder, Integrationen und Einstellungen nicht mehr verwalten.',
  'You can still work with contacts, agents, campaigns and channels.':
    'Sie können weiterhin mit Kontakten, Agenten, Kampagnen und Kanälen arbeiten.',
  'They can still work with contacts, agents, campaigns and channels.':
    'Die Person kann weiterhin mit Kontakten, Agenten, Kampagnen und Kanälen arbeiten.',
  'Only another owner can restore your role.': 'Nur ein anderer Inhaber kann Ihre Rolle wiederherstellen.',
  '{email} removed.': '{email} entfernt.',
  'Remove yourself?': 'Sich selbst entfernen?',
  'Remove {email}?': '{email} entfernen?',
  'Remove member': 'Mitglied entfernen',
  "You are signed out everywhere immediately and can't sign in again.":
    'Sie werden sofort überall abgemeldet und können sich nicht wieder anmelden.',
  "They are signed out everywhere immediately and can't sign in again.":
    'Die Person wird sofort überall abgemeldet und kann sich nicht wieder anmelden.',
  'Unused sign-in links stop working.': 'Unbenutzte Anmeldelinks werden ungültig.',
  'Everything you created remains: contacts, agents, campaigns and API keys.':
    'Alles, was Sie erstellt haben, bleibt erhalten: Kontakte, Agenten, Kampagnen und API-Schlüssel.',
  'Everything they created remains: contacts, agents, campaigns and API keys.':
    'Alles, was die Person erstellt hat, bleibt erhalten: Kontakte, Agenten, Kampagnen und API-Schlüssel.',
  'Enter an email address.': 'Geben Sie eine E-Mail-Adresse ein.',
  "You'll get a one-time link to send them, so they can set a password.":
    'Sie erhalten einen einmaligen Link für die Person, mit dem sie ein Passwort festlegt.',
  'Owners also manage API keys, members, integrations and workspace settings.':
    'Inhaber verwalten auch API-Schlüssel, Mitglieder, Integrationen und Einstellungen.',
  '{email} added': '{email} hinzugefügt',
  'Sign-in link for {email}': 'Anmeldelink für {email}',
  'Send it only to {email}. Anyone who opens it is signed in as them. It works once and expires {date}. Earlier links no longer work.':
    'Senden Sie ihn nur an {email}. Wer ihn öffnet, ist als diese Person angemeldet. Er funktioniert einmal und läuft am {date} ab. Frühere Links sind ungültig.',
  You: 'Sie',
  Added: 'Hinzugefügt',
  'Actions for {email}': 'Aktionen für {email}',
  'Create sign-in link': 'Anmeldelink erstellen',
  'Members work with contacts, agents, campaigns and channels. Owners also manage API keys, members, integrations and workspace settings.':
    'Mitglieder arbeiten mit Kontakten, Agenten, Kampagnen und Kanälen. Inhaber verwalten auch API-Schlüssel, Mitglieder, Integrationen und Einstellungen.',
  'No members yet': 'Noch keine Mitglieder',
  'Read and write': 'Lesen und schreiben',
  'Read only': 'Nur lesen',
  'Read, search and export contacts and tags': 'Kontakte und Schlagwörter lesen, suchen und exportieren',
  'Create, update, tag and delete contacts': 'Kontakte erstellen, ändern, verschlagworten und löschen',
  'Upload, review, apply and undo imports': 'Importe hochladen, prüfen, anwenden und rückgängig machen',
  'Read agents, versions and deploys': 'Agenten, Versionen und Bereitstellungen lesen',
  'Create, update and delete agents, and draft versions':
    'Agenten erstellen, ändern und löschen, Versionen entwerfen',
  'Deploy and roll back versions: callers hear them immediately':
    'Versionen bereitstellen und Rollbacks ausführen: Anrufer hören sie sofort',
  'Read channels': 'Kanäle lesen',
  'Change and delete channels; with agents:read, contacts:read, contacts:write and calls:read also create and connect them and rotate secrets':
    'Kanäle ändern und löschen; mit agents:read, contacts:read, contacts:write und calls:read auch erstellen, verbinden und Secrets erneuern',
  'Read calls and messages': 'Anrufe und Nachrichten lesen',
  'Write transcripts, notes and tags': 'Transkripte, Notizen und Schlagwörter schreiben',
  'Merge contacts and undo merges; needs contacts:read':
    'Kontakte zusammenführen und Zusammenführungen rückgängig machen; benötigt contacts:read',
  'Read campaigns and enrollments': 'Kampagnen und Aufnahmen lesen',
  'Change campaigns and claim contacts; with contacts:read also enroll, with agents:read also create':
    'Kampagnen ändern und Kontakte reservieren; mit contacts:read auch aufnehmen, mit agents:read auch erstellen',
  'Read events with snapshots of all records': 'Ereignisse mit dem Inhalt aller Datensätze lesen',
  'Read the audit log': 'Audit-Protokoll lesen',
  'Manage keys, users and settings, with contacts:read and contacts:write also integrations, with events:read also webhooks. Grant this like the owner role.':
    'Schlüssel, Benutzer und Einstellungen verwalten, mit contacts:read und contacts:write auch Integrationen, mit events:read auch Webhooks. Vergeben Sie dies wie die Inhaberrolle.',
  Revoked: 'Widerrufen',
  Expired: 'Abgelaufen',
  'Expires soon': 'Läuft bald ab',
  'Contacts and agents. Cannot deploy.': 'Kontakte und Agenten. Kann nicht bereitstellen.',
  'Contacts and agents. Enough for reports.': 'Kontakte und Agenten. Reicht für Berichte.',
  'Exactly what you select below.': 'Genau das, was Sie unten auswählen.',
  'In 30 days': 'In 30 Tagen',
  'In 90 days': 'In 90 Tagen',
  'In 1 year': 'In 1 Jahr',
  'Custom date': 'Eigenes Datum',
  'The program that will use it, e.g. Website form.':
    'Das Programm, das ihn benutzt, z. B. Website-Formular.',
  Scope: 'Umfang',
  'Select at least one scope.': 'Wählen Sie mindestens eine Berechtigung.',
  Expires: 'Läuft ab',
  'Expiration date': 'Ablaufdatum',
  'Choose today or a later date.': 'Wählen Sie heute oder ein späteres Datum.',
  'Rate limit': 'Anfragelimit',
  'Requests per interval, e.g. 600/1m. Leave empty for no per-key limit.':
    'Anfragen pro Zeitraum, z. B. 600/1m. Leer lassen für kein eigenes Limit.',
  '{scope}, expires {date}.': '{scope}, läuft am {date} ab.',
  '{scope}, never expires.': '{scope}, läuft nie ab.',
  'Store it like a password. If you lose it, create another key and revoke this one.':
    'Bewahren Sie ihn wie ein Passwort auf. Wenn Sie ihn verlieren, erstellen Sie einen neuen und widerrufen Sie diesen.',
  'Terminal example': 'Beispiel für das Terminal',
  '{name} revoked.': '{name} widerrufen.',
  'Revoke {name}': '{name} widerrufen',
  Revoke: 'Widerrufen',
  'Revoke {name}?': '{name} widerrufen?',
  'Revoke key': 'Schlüssel widerrufen',
  'Requests that use this key will be rejected immediately.':
    'Anfragen mit diesem Schlüssel werden sofort abgelehnt.',
  'It was last used {time}.': 'Zuletzt benutzt: {time}.',
  'It has never been used.': 'Er wurde nie benutzt.',
  "This can't be undone. Data written with it remains.":
    'Das kann nicht rückgängig gemacht werden. Damit geschriebene Daten bleiben erhalten.',
  'at the first start': 'beim ersten Start',
  'from the command line': 'über die Befehlszeile',
  'by {name}': 'von {name}',
  'Last used': 'Zuletzt benutzt',
  'API keys let your programs use the API. Create one key per program, so you can revoke one without affecting the others.':
    'Mit API-Schlüsseln benutzen Ihre Programme die API. Erstellen Sie einen Schlüssel pro Programm, damit Sie einen widerrufen können, ohne die anderen zu stören.',
  'No API keys yet': 'Noch keine API-Schlüssel',
  'Create an API key for each program that uses the API.':
    'Erstellen Sie einen API-Schlüssel für jedes Programm, das die API benutzt.',
  Scopes: 'Berechtigungen',
  'Chat model': 'Chat-Modell',
  'Off by default. With an OpenAI-compatible endpoint of yours, everyone here can chat with a version before it is live. The endpoint gets the instructions with the values of the chosen contact, and what is written in the chat.':
    'Standardmäßig aus. Mit einem eigenen OpenAI-kompatiblen Endpunkt können alle hier mit einer Version chatten, bevor sie live ist. Der Endpunkt erhält die Anweisungen mit den Werten des gewählten Kontakts und das, was im Chat geschrieben wird.',
  URL: 'URL',
  Model: 'Modell',
  'Chat model saved. Try a version on the page of its agent.':
    'Chat-Modell gespeichert. Probieren Sie eine Version auf der Seite ihres Agenten aus.',
  'Without /chat/completions, which Roster adds.': 'Ohne /chat/completions, das Roster anhängt.',
  'A key is stored and never shown. Leave this empty to keep it.':
    'Ein Schlüssel ist gespeichert und wird nie angezeigt. Leer lassen, um ihn zu behalten.',
  'Stored encrypted and never shown again. Leave this empty if the endpoint needs none.':
    'Wird verschlüsselt gespeichert und nie wieder angezeigt. Leer lassen, wenn der Endpunkt keinen braucht.',
  'Turn chats off': 'Chats ausschalten',
  'Turn chats off?': 'Chats ausschalten?',
  'Turn off': 'Ausschalten',
  'The URL, the model and the stored key are deleted.':
    'URL, Modell und gespeicherter Schlüssel werden gelöscht.',
};
