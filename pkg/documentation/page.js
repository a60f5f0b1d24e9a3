/**
 * The documentation page. It lists the OpenAPI documents of the server, and shows the chosen one. The browser sends the session cookie by
 * itself. A token is only kept in memory, and sent with the requests for documents and with those that people try.
 */
/** Where the server is for browsers: a proxy may show it below a path. */
const ROOT = new URL('..', document.currentScript.src).href;
const at = (path) => ROOT + path.replace(/^\//, '');
const LEGACY = { name: 'Legacy API (/api)', url: at('/openapi/legacy') };
const SCIM = { name: 'SCIM', url: at('/openapi/scim') };
const byId = (id) => document.getElementById(id);
const [choice, message, token] = [byId('choice'), byId('message'), byId('token')];

let accepted = '';

const authorization = () => (accepted === '' ? {} : { authorization: `Bearer ${accepted}` });

function say(text) {
  message.textContent = text;
  message.hidden = text === '';
}

/** Lists the documents. Callers who may not read them are told what to do. */
async function load() {
  const answer = await fetch(at('/openapi/v3'), { headers: { accept: 'application/json', ...authorization() } });
  if (answer.status === 401) return refuse('Sign in, or enter a token, to read the documentation.');
  if (!answer.ok) return refuse(`The documentation cannot be read: the server answered ${answer.status}.`);
  const { paths } = await answer.json();
  const resources = Object.entries(paths).map(([name, { serverRelativeURL }]) => ({
    name,
    url: at(serverRelativeURL),
  }));
  choice.replaceChildren(...[LEGACY, ...resources, SCIM].map(({ name, url }) => new Option(name, url)));
  const named = [...choice.options].find(({ text }) => `#${encodeURI(text)}` === location.hash);
  if (named !== undefined) named.selected = true;
  choice.disabled = false;
  say('');
  show();
}

function refuse(text) {
  choice.disabled = true;
  byId('documentation').replaceChildren();
  say(text);
}

/** Shows the chosen document, in a new element, because the old one belongs to the document before. */
function show() {
  const domNode = document.createElement('div');
  byId('documentation').replaceChildren(domNode);
  const ui = SwaggerUIBundle({
    url: choice.value,
    domNode,
    // The public validator is on another host.
    validatorUrl: null,
    tryItOutEnabled: true,
    // The legacy API has many kinds in one document.
    docExpansion: choice.value === LEGACY.url ? 'none' : 'list',
    filter: true,
    defaultModelsExpandDepth: 0,
    requestInterceptor: (request) => {
      if (request.loadSpec) Object.assign(request.headers, authorization());
      // The documents name the paths of the server itself.
      const url = new URL(request.url, location.href);
      if (!url.href.startsWith(ROOT)) request.url = at(url.pathname + url.search);
      return request;
    },
    onComplete: () => {
      if (accepted !== '') ui.preauthorizeApiKey('BearerToken', accepted);
    },
  });
}

/** Swagger UI has dark colours, but asks for them by a class. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const setTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setTheme);
setTheme();

choice.addEventListener('change', () => {
  history.replaceState(null, '', `#${encodeURI(choice.selectedOptions[0].text)}`);
  show();
});
byId('access').addEventListener('submit', (event) => {
  event.preventDefault();
  accepted = token.value.trim();
  load().catch(failed);
});

const failed = () => refuse('The server cannot be reached.');
load().catch(failed);
