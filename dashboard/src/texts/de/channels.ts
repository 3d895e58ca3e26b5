import type { Texts } from '../texts.ts';

export const channels: Texts = {
  Address: 'Adresse',
  'Where the chat appears, e.g. example.com/help.': 'Wo der Chat erscheint, z. B. example.com/hilfe.',
  '{agent} connected to {channel}.': '{agent} mit {channel} verbunden.',
  'Agent disconnected from {channel}.': 'Agent von {channel} getrennt.',
  'No agent answers on this channel.': 'Auf diesem Kanal antwortet kein Agent.',
  'Replace with another agent': 'Durch einen anderen Agenten ersetzen',
  'Connect an agent': 'Agenten verbinden',
  'Choose an agent': 'Agenten wählen',
  'No other agents': 'Keine anderen Agenten',
  '{label} goes live on {address} as soon as you connect it.':
    '{label} ist auf {address} aktiv, sobald Sie den Agenten verbinden.',
  "No version is deployed. The channel won't answer until you deploy one.":
    'Es ist keine Version bereitgestellt. Der Kanal antwortet erst, wenn Sie eine bereitstellen.',
  '{agent} stops answering on {address} immediately.':
    '{agent} antwortet auf {address} ab sofort nicht mehr.',
  'Runtimes get no agent until you connect another. The agent and the call history remain.':
    'Sprach- und Chatdienste erhalten keinen Agenten, bis Sie einen anderen verbinden. Der Agent und die Anrufe bleiben erhalten.',
  'Someone else just changed this channel. Review it before deleting.':
    'Jemand hat diesen Kanal gerade geändert. Prüfen Sie ihn vor dem Löschen.',
  'Delete channel': 'Kanal löschen',
  '{agent} stops answering on {address} immediately. The agent itself remains.':
    '{agent} antwortet auf {address} ab sofort nicht mehr. Der Agent selbst bleibt erhalten.',
  'No agent is connected to it.': 'Mit ihm ist kein Agent verbunden.',
  'Its secret stops working: requests from runtimes and providers are rejected.':
    'Sein Secret wird ungültig: Anfragen von Sprach- und Chatdiensten und Anbietern werden abgelehnt.',
  'Its calls remain, without the channel name.': 'Seine Anrufe bleiben ohne den Namen des Kanals erhalten.',
  "This can't be undone. A new channel gets a new secret and new endpoints.":
    'Das kann nicht rückgängig gemacht werden. Ein neuer Kanal erhält ein neues Secret und neue Endpunkte.',
  'Endpoints for runtimes and providers': 'Endpunkte für Sprach- und Chatdienste und Anbieter',
  'The old secret of the platform works until {time}.': 'Das alte Secret der Plattform gilt bis {time}.',
  "Couldn't load the calls.": 'Die Anrufe konnten nicht geladen werden.',
  '{calls}, most recently {time} with {contact}': '{calls}, zuletzt {time} mit {contact}',
  'Edit channel': 'Kanal bearbeiten',
  'Agent: {name}': 'Agent: {name}',
  'Agent unchanged': 'Agent unverändert',
  'New {secret}': 'Neu: {secret}',
  'Leave empty to change nothing.': 'Leer lassen, um nichts zu ändern.',
  'Accept the old one, if there is one, for another 24 hours':
    'Das alte Secret, falls es eines gibt, noch 24 Stunden akzeptieren',
  'The platform signs with it until you change it there.':
    'Die Plattform signiert damit, bis Sie es dort ändern.',
  Platform: 'Plattform',
  Vapi: 'Vapi',
  Retell: 'Retell',
  ElevenLabs: 'ElevenLabs',
  'Secret of the post-call webhook': 'Secret des Post-Call-Webhooks',
  'ElevenLabs shows it when you create the webhook. You can also add it here later.':
    'ElevenLabs zeigt es, wenn Sie den Webhook erstellen. Sie können es auch später hier eintragen.',
  'In ElevenLabs, set the conversation initiation webhook to this address, with the header Authorization: Bearer and the secret of this channel.':
    'Tragen Sie in ElevenLabs diese Adresse als „Conversation Initiation Webhook“ ein, mit dem Header „Authorization: Bearer“ und dem Secret dieses Kanals.',
  'Create a post-call webhook for transcriptions with the same address, and put its secret here under Edit.':
    'Erstellen Sie mit derselben Adresse einen „Post-Call Webhook“ für Transkripte und tragen Sie dessen Secret hier unter „Bearbeiten“ ein.',
  "In the agent's security settings, enable fetching initiation data for inbound calls.":
    'Erlauben Sie in den Sicherheitseinstellungen des Agenten, die Daten bei eingehenden Anrufen abzurufen.',
  'In the system prompt of the agent, write {placeholder}.':
    'Schreiben Sie in den System-Prompt des Agenten {placeholder}.',
  'Your own runtime, or Twilio': 'Eigener Sprach- oder Chatdienst, oder Twilio',
  'A voice platform calls Roster in its own format, so you need no server of your own.':
    'Eine Sprachplattform ruft Roster in ihrem eigenen Format auf. Sie brauchen keinen eigenen Server.',
  'Enter the API key.': 'Geben Sie den API-Schlüssel ein.',
  'Enter the public key.': 'Geben Sie den öffentlichen Schlüssel ein.',
  'Retell API key': 'API-Schlüssel von Retell',
  'Twilio ConversationRelay': 'Twilio ConversationRelay',
  jambonz: 'jambonz',
  'jambonz webhook secret': 'Webhook-Secret von jambonz',
  "Twilio signs its requests with your account's auth token.":
    'Twilio signiert Anfragen mit dem Auth-Token Ihres Kontos.',
  'jambonz signs its requests. Copy the webhook secret of your account.':
    'jambonz signiert Anfragen. Kopieren Sie das Webhook-Secret Ihres Kontos.',
  'Enter the auth token.': 'Geben Sie den Auth-Token ein.',
  'Enter the webhook secret.': 'Geben Sie das Webhook-Secret ein.',
  'In Twilio, open the number, and set its webhook for incoming calls to this address, with HTTP POST.':
    'Öffnen Sie in Twilio die Nummer und tragen Sie diese Adresse als Webhook für eingehende Anrufe ein, mit HTTP POST.',
  'Set the same address for call status changes.':
    'Tragen Sie dieselbe Adresse für Änderungen des Anrufstatus ein.',
  "In the config of the agent's version, write the url of your ConversationRelay server, for example wss://relay.example.com.":
    'Schreiben Sie in die Konfiguration der Agentenversion die url Ihres ConversationRelay-Servers, zum Beispiel wss://relay.example.com.',
  'In jambonz, create an application with this address as its calling webhook and as its call status webhook, with POST.':
    'Legen Sie in jambonz eine Anwendung mit dieser Adresse als „Calling Webhook“ und als „Call Status Webhook“ an, mit POST.',
  'Route the number to the application.': 'Leiten Sie die Nummer an die Anwendung.',
  "As the config of the agent's version, write a jambonz agent: stt, tts and llm.":
    'Schreiben Sie als Konfiguration der Agentenversion einen Agenten von jambonz: stt, tts und llm.',
  Telnyx: 'Telnyx',
  'Telnyx public key': 'Öffentlicher Schlüssel von Telnyx',
  'Telnyx signs its requests. Copy the public key from Keys & Credentials in its portal.':
    'Telnyx signiert Anfragen. Kopieren Sie den öffentlichen Schlüssel aus „Keys & Credentials“ in dessen Portal.',
  'In Telnyx, open the AI assistant and set its Dynamic Variables Webhook URL to this address.':
    'Öffnen Sie in Telnyx den KI-Assistenten und tragen Sie diese Adresse als „Dynamic Variables Webhook URL“ ein.',
  'In the instructions of the assistant, write {placeholder}.':
    'Schreiben Sie in die Anweisungen des Assistenten {placeholder}.',
  'Give the same address to the application that takes its calls, as status callback with POST (TeXML) or as webhook URL (Voice API).':
    'Tragen Sie dieselbe Adresse in der Anwendung ein, die seine Anrufe annimmt: als Status-Callback mit POST (TeXML) oder als Webhook-URL (Voice API).',
  'Retell signs its requests with the API key that has the webhook badge in its dashboard.':
    'Retell signiert Anfragen mit dem API-Schlüssel, der dort als Webhook-Schlüssel markiert ist.',
  'In Vapi, open Phone Numbers and your number, and remove its assistant.':
    'Öffnen Sie in Vapi „Phone Numbers“ und Ihre Nummer und entfernen Sie deren Assistenten.',
  'Set its Server URL to this address, with a Bearer Token credential that has the secret of this channel.':
    'Tragen Sie diese Adresse als „Server URL“ ein, mit einem „Bearer Token“, das das Secret dieses Kanals enthält.',
  "As the config of the agent's version, write a Vapi assistant without instructions: model, voice, first message.":
    'Schreiben Sie in die Konfiguration der Version einen Assistenten von Vapi ohne Anweisungen: Modell, Stimme, erste Nachricht.',
  'In Retell, open Phone Numbers and your number, and set its Inbound Webhook URL to this address.':
    'Öffnen Sie in Retell „Phone Numbers“ und Ihre Nummer und tragen Sie diese Adresse als „Inbound Webhook URL“ ein.',
  'Set the Webhook URL of the Retell agent to the same address.':
    'Tragen Sie dieselbe Adresse als „Webhook URL“ des Agenten in Retell ein.',
  'In the prompt of the Retell agent, write {placeholder}.':
    'Schreiben Sie in den Prompt des Agenten in Retell {placeholder}.',
  'Address for {platform}': 'Adresse für {platform}',
  'It starts calls with the deployed version, and receives their reports.':
    'Sie startet Anrufe mit der bereitgestellten Version und nimmt deren Berichte entgegen.',
  'Agent endpoint': 'Agenten-Endpunkt',
  'Your runtime fetches the deployed instructions here, using the secret as a bearer token.':
    'Ihr Sprach- oder Chatdienst ruft hier die bereitgestellten Anweisungen ab, mit dem Secret als Bearer-Token.',
  'Events endpoint': 'Ereignis-Endpunkt',
  'Your runtime reports calls and messages here, signed with the secret. In Twilio, use it as the status callback.':
    'Ihr Sprach- oder Chatdienst meldet hier Anrufe und Nachrichten, signiert mit dem Secret. In Twilio ist dies der Status-Callback.',
  'Terminal examples': 'Beispiele für das Terminal',
  'Get the agent with curl': 'Den Agenten mit curl abrufen',
  "Replace $CHANNEL_SECRET with this channel's secret.":
    'Ersetzen Sie $CHANNEL_SECRET durch das Secret dieses Kanals.',
  'Send a test event with curl': 'Ein Testereignis mit curl senden',
  'This is recorded like a real event: it appears in Calls, and the number becomes a contact.':
    'Dies wird wie ein echtes Ereignis gespeichert: Es erscheint unter Anrufe, und die Nummer wird ein Kontakt.',
  'Only your team sees this, e.g. Front desk line.': 'Nur Ihr Team sieht das, z. B. Empfang.',
  'Enter an address.': 'Geben Sie eine Adresse ein.',
  'Answers on this channel. You can connect one later.':
    'Antwortet auf diesem Kanal. Sie können ihn auch später verbinden.',
  'Twilio auth token': 'Auth-Token von Twilio',
  "Anyone who has it can read this channel's instructions and report calls. If you lose it, rotate it.":
    'Wer es kennt, kann die Anweisungen dieses Kanals lesen und Anrufe melden. Erneuern Sie es, wenn Sie es verlieren.',
  "Couldn't connect the agent: {error}": 'Der Agent konnte nicht verbunden werden: {error}',
  'Phone lines and chats your agents answer.':
    'Telefonleitungen und Chats, auf denen Ihre Agenten antworten.',
  "A channel is where people reach you: a phone line, an SMS or WhatsApp number, or a chat on your site. Create one and connect an agent. Your voice or chat runtime then gets the agent's instructions from Roster, and calls and messages appear in Calls.":
    'Über einen Kanal erreicht man Sie: eine Telefonleitung, eine SMS- oder WhatsApp-Nummer oder ein Chat auf Ihrer Website. Erstellen Sie einen und verbinden Sie einen Agenten. Ihr Sprach- oder Chatdienst erhält dann die Anweisungen von Roster, und Anrufe und Nachrichten erscheinen unter Anrufe.',
  "Only needed if Twilio reports calls and messages to this channel. Twilio signs requests with your account's auth token.":
    'Nur nötig, wenn Twilio Anrufe und Nachrichten an diesen Kanal meldet. Twilio signiert Anfragen mit dem Auth-Token Ihres Kontos.',
  '# call or message': { one: '# Anruf oder Nachricht', other: '# Anrufe und Nachrichten' },
};
