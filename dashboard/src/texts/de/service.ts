/** Messages of the service that forms, toasts and imports show, by the English message. A placeholder stands for a value. A
 *  message without a translation is shown in English. `test/structure/texts.test.ts` fails if the service no longer has one. */
export const serviceMessages: Readonly<Record<string, string>> = {
  // Fields
  'is required.': 'Erforderlich.',
  'must not be blank.': 'Darf nicht leer sein.',
  'must have at least {min} character{s}.': 'Geben Sie mindestens {min} Zeichen ein.',
  'must have at most {max} characters; this has {count}.':
    'Höchstens {max} Zeichen sind möglich; es sind {count}.',
  'must have at most {max} characters.': 'Höchstens {max} Zeichen sind möglich.',
  'must have at most {max} bytes as JSON; these have {count}.':
    'Höchstens {max} Bytes sind als JSON möglich; es sind {count}.',
  'must not contain U+0000 or half of a surrogate pair.': 'Enthält ungültige Zeichen.',
  'must have at least {min} entry.': 'Mindestens {min} Eintrag ist erforderlich.',
  'must have at most {max} entries.': 'Höchstens {max} Einträge sind möglich.',
  'must have at most {max} different entries; this has {count}.':
    'Höchstens {max} verschiedene Einträge sind möglich; es sind {count}.',
  'must be one of {values}.': 'Möglich sind: {values}.',
  'must be a date, for example 2026-01-31.': 'Muss ein Datum sein, zum Beispiel 2026-01-31.',
  'could be a whole number or one with decimals. Write it as 1234 or 1.2340.':
    'Kann eine ganze Zahl oder eine mit Nachkommastellen sein. Schreiben Sie 1234 oder 1.2340.',
  'could have the day or the month first. Write it as 2026-01-31.':
    'Kann mit dem Tag oder mit dem Monat beginnen. Schreiben Sie 2026-01-31.',
  'must be a whole number from {min} to {max}.': 'Geben Sie eine ganze Zahl von {min} bis {max} ein.',
  'must be an email address.': 'Geben Sie eine E-Mail-Adresse ein.',
  'must be an email address, for example ada@example.com.':
    'Keine gültige E-Mail-Adresse; gültig ist zum Beispiel ada@example.com.',
  'must be later than starts_at.': 'Das Ende muss nach dem Start liegen.',
  'must be later than from.': 'Das Ende muss nach dem Beginn liegen.',
  'must be in the future. To start the campaign now, set its status to active.':
    'Der Start muss in der Zukunft liegen.',
  'must be in the future. To end the campaign now, set its status to finished.':
    'Das Ende muss in der Zukunft liegen.',
  'must differ from tag, which it replaces.': 'Der neue Name muss sich vom bisherigen unterscheiden.',
  'must be the name of an IANA time zone, for example Europe/Berlin.':
    'Geben Sie den Namen einer Zeitzone ein, zum Beispiel Europe/Berlin.',
  'must be true to deploy instructions with unknown variables.':
    'Bestätigen Sie, dass die Anweisungen unbekannte Variablen enthalten.',
  // Phone numbers
  'must not contain spaces, dots, dashes or brackets. Send {number}.':
    'Ohne Leerzeichen, Punkte, Striche und Klammern, also {number}.',
  'must not have a national trunk prefix after the country code. Send {number}.':
    'Ohne die nationale Null nach der Landesvorwahl, also {number}.',
  'must be an international number that starts with + and the country code, {example}.':
    'Geben Sie eine internationale Nummer mit + und Landesvorwahl ein.',
  'must contain only + and digits, {example}.': 'Nur + und Ziffern sind möglich.',
  'must have 7 to 15 digits after the +; this number has {digits}.':
    'Nach dem + sind 7 bis 15 Ziffern möglich; diese Nummer hat {digits}.',
  'must start with + and an assigned country code, {example}.':
    'Die Nummer muss mit + und einer vergebenen Landesvorwahl beginnen.',
  'Another contact in this workspace has this phone number: {id}. Update that contact instead.':
    'Ein anderer Kontakt hat diese Telefonnummer.',
  'The contact that had this number is being deleted. Retry.':
    'Der Kontakt mit dieser Nummer wird gerade gelöscht. Versuchen Sie es erneut.',
  // Merges
  'The number of the survivor changes.': 'Die Nummer des Kontakts, der bleibt, ändert sich.',
  'The contacts have more than {max} tags. These are left out: {tags}.':
    'Die Kontakte haben mehr als {max} Schlagwörter. Diese entfallen: {tags}.',
  'The number of {id} is not international, so it is kept only for an undo.':
    'Eine Nummer ist nicht international; sie bleibt nur zum Rückgängigmachen erhalten.',
  'A contact is claimed in a campaign in which another enrollment stays. A report on this claim will be refused.':
    'Ein Kontakt ist in einer Kampagne reserviert, in der eine andere Aufnahme bleibt. Ein Bericht dazu wird abgelehnt.',
  'The calls of the merge {id} are still moving. Retry when its status is merged or undone.':
    'Die Anrufe einer früheren Zusammenführung werden noch verschoben. Versuchen Sie es gleich noch einmal.',
  // Undo of a bulk job
  'The contact was changed since. Only what was not changed is restored.':
    'Der Kontakt wurde seitdem geändert. Nur was nicht geändert wurde, ist wiederhergestellt.',
  'The contact was claimed or its enrollment changed since, so it stays enrolled.':
    'Der Kontakt wurde seitdem reserviert oder seine Aufnahme geändert; er bleibt aufgenommen.',
  'The enrollment of the contact was removed since.': 'Der Kontakt ist nicht mehr aufgenommen.',
  'This job was already undone, or is being undone, by the job {id}.':
    'Dieser Vorgang wurde schon rückgängig gemacht, oder das läuft gerade.',
  // Rows of an import
  'is missing.': 'Die Telefonnummer fehlt.',
  'is not a phone number.': 'Das ist keine Telefonnummer.',
  'has no + and country code. Choose a default country for the phone numbers of this file.':
    'Die Landesvorwahl mit + fehlt. Wählen Sie ein Standardland für die Nummern dieser Datei.',
  'may be a number of another country. If it is, write it as +{digits}.':
    'Könnte eine Nummer eines anderen Landes sein. Schreiben Sie sie in diesem Fall als +{digits}.',
  'has too few digits for a number in {region}.': 'Zu wenige Ziffern für eine Nummer ({region}).',
  'has too many digits for a number in {region}.': 'Zu viele Ziffern für eine Nummer ({region}).',
  'has the wrong number of digits for a number in {region}.':
    'Falsche Anzahl von Ziffern für eine Nummer ({region}).',
  'was turned into {number} by a spreadsheet, and its last digits are lost. Format the column as text and export it again.':
    'Eine Tabellenkalkulation hat die Nummer in {number} umgewandelt; die letzten Ziffern sind verloren. Formatieren Sie die Spalte als Text und exportieren Sie sie erneut.',
  'is longer than {max} characters, so it is not a phone number. Check which column holds the phone numbers.':
    'Länger als {max} Zeichen, also keine Telefonnummer. Prüfen Sie, welche Spalte die Telefonnummern enthält.',
  'Same number as line {line}.': 'Gleiche Nummer wie in Zeile {line}.',
  'Replaced by line {line}.': 'Durch Zeile {line} ersetzt.',
  'Merged into line {line} without {omitted}.':
    'Mit Zeile {line} zusammengeführt, aber ohne die Tags oder die CRM-ID, die dort nicht möglich sind.',
  'Merged into line {line}.': 'Mit Zeile {line} zusammengeführt.',
  'is also on line {line}. A CRM id identifies one contact.':
    'Diese CRM-ID steht auch in Zeile {line}. Eine CRM-ID gehört zu einem Kontakt.',
  'would be {count} in total; the maximum is {max}.': 'Insgesamt wären es {count}; möglich sind {max}.',
  'The file is empty.': 'Die Datei ist leer.',
  'Line {line} is empty, so it cannot be the header row. Choose a line from 1 to {last}, or 0 if the file has no header row.':
    'Zeile {line} ist leer und kann nicht die Kopfzeile sein. Wählen Sie eine Zeile von 1 bis {last}.',
  'An import can be undone for {days} days. This period is over.':
    'Ein Import kann {days} Tage lang rückgängig gemacht werden. Diese Zeit ist vorbei.',
  // Conflicts
  'No such {what} in this workspace.': 'Das gibt es in diesem Arbeitsbereich nicht.',
  'This {what} was changed since you read it. Read it again, and send the change with its new ETag in If-Match.':
    'Das wurde inzwischen geändert. Laden Sie die Seite neu und versuchen Sie es erneut.',
  'This campaign has finished; contacts can no longer be enrolled.':
    'Diese Kampagne ist beendet; es können keine Kontakte mehr aufgenommen werden.',
  'This campaign has finished, so its schedule cannot be changed.':
    'Diese Kampagne ist beendet; ihr Zeitplan kann nicht mehr geändert werden.',
  'This campaign is already active, so it cannot start later. Pause it first, or leave starts_at as it was.':
    'Diese Kampagne ist bereits aktiv und kann nicht später starten. Pausieren Sie sie zuerst, oder lassen Sie den Start unverändert.',
  'The end of this campaign has passed, so it cannot start. Change or remove ends_at in its schedule first.':
    'Das Ende dieser Kampagne ist vorbei, sie kann also nicht starten. Ändern oder entfernen Sie zuerst das Ende in ihrem Zeitplan.',
  'Another request changed this campaign. Retry.':
    'Die Kampagne wurde gerade geändert. Versuchen Sie es erneut.',
  'This contact has used {attempts} of {max} attempts, so it cannot return to the queue. Raise max_attempts in the schedule of the campaign first.':
    'Bei diesem Kontakt sind {attempts} von {max} Versuchen verbraucht. Erhöhen Sie zuerst die Versuche im Zeitplan der Kampagne.',
  'Another version was deployed since this deploy was planned. Check what it would change now, and plan it again.':
    'Inzwischen wurde eine andere Version bereitgestellt. Prüfen Sie die Auswirkungen erneut.',
  'A user with this email already exists in this workspace.':
    'In diesem Arbeitsbereich gibt es bereits ein Mitglied mit dieser E-Mail-Adresse.',
  'This is the only owner. Make another user an owner first.':
    'Das ist der einzige Inhaber. Machen Sie zuerst jemand anderen zum Inhaber.',
  'This name is not available. Choose another one.':
    'Dieser Name ist nicht verfügbar. Wählen Sie einen anderen.',
  'Only its creator can change a view. Save a copy of it instead.':
    'Nur wer eine Ansicht erstellt hat, kann sie ändern. Speichern Sie stattdessen eine Kopie.',
  'This job has ended: it is {status}. Nothing was canceled.': 'Dieser Vorgang ist bereits beendet.',
  // Sign-in and access
  'Incorrect current password.': 'Das aktuelle Passwort ist falsch.',
  'Owner access required.': 'Das können nur Inhaber.',
  'Too many sign-ins from this address. Retry in a few seconds.':
    'Zu viele Anmeldungen von dieser Adresse. Versuchen Sie es in einigen Sekunden erneut.',
  'Too many failed sign-ins. Retry in {minutes} minute{s}, or use a sign-in link.':
    'Zu viele fehlgeschlagene Anmeldungen. Versuchen Sie es in {minutes} Min. erneut, oder verwenden Sie einen Anmeldelink.',
  'Too many users are signing in. Retry shortly.':
    'Es melden sich gerade zu viele Personen an. Versuchen Sie es gleich erneut.',
  'You switched to another workspace or user. Reload the page.':
    'Sie haben den Arbeitsbereich oder das Konto gewechselt. Laden Sie die Seite neu.',
  // Webhooks
  'Send a URL of at most {max} characters.': 'Die URL darf höchstens {max} Zeichen haben.',
  'Send an absolute URL such as https://example.com/webhooks.':
    'Geben Sie eine vollständige URL ein, zum Beispiel https://example.com/webhooks.',
  // Fields
  'must be a web address, for example https://example.com/account/7.':
    'Geben Sie eine Webadresse ein, zum Beispiel https://example.com/account/7.',
  'must be 1 to 40 characters: a to z, 0 to 9 and _, beginning with a letter, for example renewal_date.':
    'Geben Sie 1 bis 40 Zeichen ein: a bis z, 0 bis 9 und _, beginnend mit einem Buchstaben, zum Beispiel renewal_date.',
  '{key} is a name that Roster uses. Choose another key.':
    '{key} verwendet Roster selbst. Wählen Sie einen anderen Schlüssel.',
  'must contain the existing options, because contacts may have them: {options}.':
    'Bestehende Optionen müssen bleiben, weil Kontakte sie haben können: {options}.',
  'The deployed instructions of {names} use the field {key}. Deploy versions without it first.':
    'Die bereitgestellten Anweisungen von {names} verwenden das Feld {key}. Stellen Sie zuerst Versionen ohne dieses Feld bereit.',
  'The deployed version {label} uses {names}. Deploy a version without these names first.':
    'Die bereitgestellte Version {label} verwendet {names}. Stellen Sie zuerst eine Version ohne diese Namen bereit.',
  'The audience of {names} uses this {what}. Finish or delete these campaigns, or change their audience first.':
    'Die Zielgruppe von {names} hängt davon ab. Beenden oder löschen Sie diese Kampagnen, oder ändern Sie zuerst ihre Zielgruppe.',
  'The values of this field are being erased.': 'Die Werte dieses Feldes werden gerade gelöscht.',
  // The service
  'The service is overloaded. Retry in 1 second.':
    'Der Dienst ist überlastet. Versuchen Sie es in einer Sekunde erneut.',
  'The service cannot reach its database right now. Retry in 1 second.':
    'Der Dienst erreicht seine Datenbank gerade nicht. Versuchen Sie es in einer Sekunde erneut.',
  'Other requests are changing the same records. Retry in 1 second.':
    'Andere Anfragen ändern gerade dieselben Datensätze. Versuchen Sie es in einer Sekunde erneut.',
  'An internal error occurred. It was logged with this request id.':
    'Ein interner Fehler ist aufgetreten. Er wurde mit dieser Anfrage-ID protokolliert.',
  'must be sent again, because the URL is another one.':
    'Geben Sie den Schlüssel erneut ein, weil sich die URL geändert hat.',
  'Send an absolute URL such as https://api.example.com/v1.':
    'Geben Sie eine vollständige URL ein, zum Beispiel https://api.example.com/v1.',
};
