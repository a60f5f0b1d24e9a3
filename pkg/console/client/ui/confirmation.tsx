import { Button } from './button.js';
import { question } from './confirm.js';
import { Dialog } from './dialog.js';

/** Shows the question of `confirm`. */
export function Confirmation() {
  const asked = question.value;
  if (asked === undefined) return null;
  const { title, text, action, isDangerous = false, answer } = asked;
  return (
    <Dialog
      title={title}
      onClose={() => answer(false)}
      footer={
        <>
          <Button onPress={() => answer(false)}>Cancel</Button>
          <Button look={isDangerous ? 'danger' : 'primary'} onPress={() => answer(true)}>
            {action}
          </Button>
        </>
      }
    >
      {text}
    </Dialog>
  );
}
