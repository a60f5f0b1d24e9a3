import { expect } from 'chai';
import { PASSWORD } from '../content.js';
import { accounts, administrators, type Job, type Step } from './job.js';
import { tells } from './refusals.js';

/** What a page says to those who may not use it. */
const NOT_FOR_YOU = /^(You may not see|This can be seen after signing in)/;

const addUser: Step = async ({ visit, press, page, dialog, stored }) => {
  await visit('/people/users');
  await press('New user');
  await dialog.getByLabel('Login').fill('nora');
  await dialog.getByLabel('E-mail address').fill('nora@example.com');
  await dialog.getByLabel(/^Make a password/).uncheck();
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByLabel('Role in the organization').selectOption('Editor');
  await press('Create user', dialog);
  await page.getByRole('heading', { name: 'nora' }).waitFor();
  const users = await stored<{ login: string; role: string }[]>('/api/org/users?query=nora');
  expect(users.map(({ role }) => role)).to.deep.equal(['Editor']);
};

const addTeam: Step = async ({ visit, press, page, dialog, stored, write }) => {
  await write.user('mia', 'Viewer');
  await visit('/people/teams');
  await press('New team');
  await dialog.getByLabel('Name').fill('Night watch');
  await press('Create team', dialog);
  const member = page.getByRole('combobox', { name: 'Add a member' });
  await member.fill('mia');
  await page.getByRole('option', { name: 'mia' }).waitFor();
  await member.press('Enter');
  await press('Add', dialog);
  await page.getByLabel('What mia is in the team').waitFor();
  const { teams } = await stored<{ teams: { id: number }[] }>('/api/teams/search?name=Night watch');
  const members = await stored<{ login: string }[]>(`/api/teams/${teams[0]?.id}/members`);
  expect(members.map(({ login }) => login)).to.include('mia');
};

const addToken: Step = async ({ visit, press, page, dialog, running }) => {
  await visit('/people/accounts');
  await press('New service account');
  await dialog.getByLabel('Name').fill('builder');
  await press('Create service account', dialog);
  await press('New token');
  await dialog.getByLabel('Name').fill('ci');
  await press('Create token', dialog);
  const token = (await page.getByLabel('Token', { exact: true }).textContent()) ?? '';
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${running.server.httpUrl}/api/org`, { headers })).status).to.equal(200);
  await press('I have stored it');
};

const setSignOn: Step = async ({ visit, press, page, dialog, reads, stored }) => {
  await visit('/people/sign-on?open=generic_oauth');
  await page.getByLabel('Client id', { exact: true }).fill('console');
  for (const field of ['Auth URL', 'Token URL', 'API URL'])
    await page.getByLabel(field).fill(`https://id.example.com/${field.slice(0, 3).toLowerCase()}`);
  await press('Save and enable');
  await reads(/^It is enabled/);
  const path = '/api/v1/sso-settings/generic_oauth';
  expect((await stored<{ settings: object }>(path)).settings).to.include({ enabled: true, clientId: 'console' });
  await press('Reset');
  await press('Reset', dialog);
  await reads('The settings were reset.');
};

const setPreferences: Step = async ({ visit, page, press, reads, person, running }) => {
  await visit('/account');
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await press('Save preferences');
  await reads('The preferences were saved.');
  const answer = await person.context.request.get(`${running.server.httpUrl}/api/user/preferences`);
  expect(await answer.json()).to.include({ timezone: 'Europe/Berlin' });
};

const ownTeams = tells('/people/teams', 'You see teams that you are in.', 'New team');

export const PEOPLE_JOBS: readonly Job[] = [
  { name: 'a user is added', cells: administrators(addUser, tells('/people/users', NOT_FOR_YOU, 'New user')) },
  {
    name: 'a team is made and gets a member',
    cells: { ...administrators(addTeam, ownTeams), guest: tells('/people/teams', NOT_FOR_YOU, 'New team') },
  },
  {
    name: 'a service account gets a token',
    cells: administrators(addToken, tells('/people/accounts', NOT_FOR_YOU, 'New service account')),
  },
  {
    name: 'sign-on by a provider is set up',
    cells: administrators(setSignOn, tells('/people/sign-on', NOT_FOR_YOU, 'Save and enable')),
  },
  {
    name: 'the account has preferences',
    cells: accounts(setPreferences, tells('/account', 'Sign in to have preferences', 'Save preferences')),
  },
];
