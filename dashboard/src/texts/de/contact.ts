import type { Texts } from '../texts.ts';

/** The page of a contact. */
export const contact: Texts = {
  'Press Enter or comma to add a tag, and Enter again to save.':
    'Die Eingabetaste oder ein Komma fügt ein Schlagwort hinzu, eine weitere Eingabetaste speichert.',
  'There is nothing to undo: the tags were changed again.':
    'Es gibt nichts rückgängig zu machen: Die Schlagwörter wurden erneut geändert.',
  'The contact was deleted.': 'Der Kontakt wurde gelöscht.',
  "The tags couldn't be changed back. {reason}":
    'Die Schlagwörter konnten nicht zurückgesetzt werden. {reason}',
  '{name} removed from the campaign.': '{name} aus der Kampagne entfernt.',
  '{name} marked as {status}.': '{name} als „{status}“ markiert.',
  'Phone number changed.': 'Telefonnummer geändert.',
  'Enter the new number.': 'Geben Sie die neue Nummer ein.',
  'Change phone number': 'Telefonnummer ändern',
  'Replace both numbers': 'Beide Nummern ersetzen',
  'Change number': 'Nummer ändern',
  "The current number is {number}, a legacy number that can't be restored once it is changed.":
    'Die jetzige Nummer ist {number}, eine Altnummer, die nach der Änderung nicht wiederhergestellt werden kann.',
  'The current number is {number}.': 'Die jetzige Nummer ist {number}.',
  'Calls and messages from the new number will be linked to this contact. Earlier ones remain.':
    'Anrufe und Nachrichten von der neuen Nummer werden diesem Kontakt zugeordnet. Frühere bleiben erhalten.',
  'New phone number': 'Neue Telefonnummer',
  'This legacy contact displays one number, but its calls are matched by a different one. The new number replaces both.':
    'Dieser Altkontakt zeigt eine Nummer an, aber seine Anrufe werden über eine andere zugeordnet. Die neue Nummer ersetzt beide.',
  "Someone else changed {name} in the meantime, so it wasn't deleted.":
    '{name} wurde inzwischen von jemand anderem geändert und deshalb nicht gelöscht.',
  'Nothing was deleted. Review the changes and try again.':
    'Es wurde nichts gelöscht. Prüfen Sie die Änderungen und versuchen Sie es noch einmal.',
  'Nothing was deleted, because you signed in again.':
    'Es wurde nichts gelöscht, weil Sie sich neu angemeldet haben.',
  'Delete contact': 'Kontakt löschen',
  '{number} will be permanently deleted, along with the profile, tags, notes, CRM IDs and timeline.':
    '{number} wird endgültig gelöscht, zusammen mit Profil, Schlagwörtern, Notizen, CRM-IDs und Verlauf.',
  'Its campaign enrollments will be removed.': 'Er wird aus seinen Kampagnen entfernt.',
  "It isn't enrolled in any campaign.": 'Er ist in keine Kampagne aufgenommen.',
  '# enrollment will be removed: {names}.': {
    one: 'Er wird aus # Kampagne entfernt: {names}.',
    other: 'Er wird aus # Kampagnen entfernt: {names}.',
  },
  'Its calls and messages remain, without the name and number.':
    'Seine Anrufe und Nachrichten bleiben ohne Namen und Nummer erhalten.',
  'It has no calls or messages.': 'Er hat keine Anrufe oder Nachrichten.',
  '# call or message remains, without the name and number.': {
    one: '# Anruf oder Nachricht bleibt ohne Namen und Nummer erhalten.',
    other: '# Anrufe und Nachrichten bleiben ohne Namen und Nummer erhalten.',
  },
  'Someone else changed this contact since you opened it.':
    'Jemand anderes hat diesen Kontakt geändert, seit Sie ihn geöffnet haben.',
  'When you opened it': 'Als Sie ihn geöffnet haben',
  Now: 'Jetzt',
  'Not linked to a CRM. IDs appear here when an integration sends this contact.':
    'Mit keinem CRM verknüpft. IDs erscheinen hier, wenn eine Integration diesen Kontakt sendet.',
  'Copy {name} ID': '{name}-ID kopieren',
  'Copy contact ID': 'Kontakt-ID kopieren',
  'Someone else changed this contact': 'Jemand anderes hat diesen Kontakt geändert',
  "They saved it after you started editing. Your changes aren't saved yet.":
    'Er wurde gespeichert, nachdem Sie mit dem Bearbeiten begonnen haben. Ihre Änderungen sind noch nicht gespeichert.',
  'Saving yours overwrites only these fields: {fields}.':
    'Ihre Änderung überschreibt nur diese Felder: {fields}.',
  "You didn't change this": 'Von Ihnen nicht geändert',
  'Show contacts tagged {tag}': 'Kontakte mit dem Schlagwort {tag} anzeigen',
  'Edit tags': 'Schlagwörter bearbeiten',
  'Add tags': 'Schlagwörter hinzufügen',
  "Your changes to the tags haven't been saved and will be lost.":
    'Ihre Änderungen an den Schlagwörtern sind nicht gespeichert und gehen verloren.',
  'Enrolled in {name}.': 'In {name} aufgenommen.',
  'Already enrolled in {name}.': 'Bereits in {name} aufgenommen.',
  'Enroll in a campaign': 'In eine Kampagne aufnehmen',
  'Not enrolled in any campaign.': 'In keine Kampagne aufgenommen.',
  'Status in {campaign}': 'Status in {campaign}',
  'Remove from {campaign}': 'Aus {campaign} entfernen',
  'Remove from {campaign}?': 'Aus {campaign} entfernen?',
  'Its calls remain. If you enroll the contact again, it starts as pending.':
    'Die Anrufe bleiben erhalten. Bei einer neuen Aufnahme beginnt der Kontakt wieder als ausstehend.',
  'Removed from {campaign}.': 'Aus {campaign} entfernt.',
  'Another contact already has this phone number. Nothing was changed.':
    'Ein anderer Kontakt hat diese Telefonnummer bereits. Es wurde nichts geändert.',
  Legacy: 'Altnummer',
  'Copy phone number': 'Telefonnummer kopieren',
  Change: 'Ändern',
  'Add a note': 'Notiz hinzufügen',
  'Tags changed.': 'Schlagwörter geändert.',
  Profile: 'Profil',
  'Phone number updated.': 'Telefonnummer aktualisiert.',
  'Use {number} as the only number?': '{number} als einzige Nummer verwenden?',
  'Use this number': 'Diese Nummer verwenden',
  "{number} becomes the contact's only number.": '{number} wird die einzige Nummer des Kontakts.',
  'Calls and messages from {number} are no longer linked to this contact.':
    'Anrufe und Nachrichten von {number} werden diesem Kontakt nicht mehr zugeordnet.',
  "{number} is no longer shown and can't be restored in this format.":
    '{number} wird nicht mehr angezeigt und kann in diesem Format nicht wiederhergestellt werden.',
  'Conflicting phone numbers': 'Widersprüchliche Telefonnummern',
  'This legacy contact displays one number, but its calls are matched by a different one. Choose the right one to replace both.':
    'Dieser Altkontakt zeigt eine Nummer an, aber seine Anrufe werden über eine andere zugeordnet. Wählen Sie die richtige, die beide ersetzt.',
  'Correct number': 'Richtige Nummer',
  Normalized: 'Normalisiert',
  Recommended: 'Empfohlen',
  'Calls and messages are currently matched by this number.':
    'Anrufe und Nachrichten werden derzeit über diese Nummer zugeordnet.',
  Displayed: 'Angezeigt',
  'Currently shown. It would be saved as {number}.': 'Wird derzeit angezeigt. Gespeichert würde {number}.',
  "Currently shown. It can't be converted to an international number.":
    'Wird derzeit angezeigt. Sie lässt sich nicht in eine internationale Nummer umwandeln.',
  'Another number': 'Eine andere Nummer',
  'Neither number is correct.': 'Keine der beiden Nummern ist richtig.',
  'Someone else has changed this contact.': 'Jemand anderes hat diesen Kontakt geändert.',
  '{agent} on {channel}': '{agent} auf {channel}',
  'by {actor}': 'von {actor}',
  'Deleted campaign': 'Gelöschte Kampagne',
  Edits: 'Änderungen',
  'Created by an inbound call or message': 'Durch einen eingehenden Anruf oder eine Nachricht erstellt',
  'Changed: {fields}': 'Geändert: {fields}',
  'Tagged {tags}': 'Schlagwort hinzugefügt: {tags}',
  'Removed the tag {tags}': 'Schlagwort entfernt: {tags}',
  'Tagged {added}, removed {removed}': 'Schlagwort hinzugefügt: {added}, entfernt: {removed}',
  'Enrolled in a campaign': 'In eine Kampagne aufgenommen',
  'Removed from a campaign': 'Aus einer Kampagne entfernt',
  'Attempt {number} started': 'Versuch {number} begonnen',
  'Attempt started': 'Versuch begonnen',
  'Marked as {status}': 'Als „{status}“ markiert',
  'Enrollment changed': 'Aufnahme geändert',
  'a deleted API key': 'einem gelöschten API-Schlüssel',
  'a deleted channel': 'einem gelöschten Kanal',
  'a deleted integration': 'einer gelöschten Integration',
  'a deleted import': 'einem gelöschten Import',
  'the audience of the campaign': 'der Zielgruppe der Kampagne',
  Timeline: 'Verlauf',
  'Show only': 'Nur anzeigen',
  'No activity of this kind yet.': 'Noch keine Aktivität dieser Art.',
  '# entry': { one: '# Eintrag', other: '# Einträge' },
  'Show older entries': 'Ältere Einträge anzeigen',
};
