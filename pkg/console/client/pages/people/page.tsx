import { Empty } from '../../ui/states.js';

export function PeoplePage() {
  return (
    <div class="page">
      <h1>People</h1>
      <Empty title="Not there yet" />
    </div>
  );
}
