"""`python -m suites.outgrown <variant>`: gives a batch arrays that it cannot write to, and says whether it refuses."""

from __future__ import annotations

import sys

import numpy as np

import cardenvs


def main(variant: str) -> str:
    vec = cardenvs.make_vec(variant, 4, seed=1)
    few = cardenvs.make_vec(variant, 3, seed=1).make_batch()
    whole = vec.make_batch()
    wrong = {
        "three rows for four games": few,
        "float rows": whole._replace(obs=whole.obs.astype(np.float32)),
        "a narrow mask": whole._replace(mask=np.ascontiguousarray(whole.mask[:, :-1])),
        "rows apart": whole._replace(obs=np.repeat(whole.obs, 2, axis=1)[:, ::2]),
    }
    for what, out in wrong.items():
        try:
            vec.step(vec.random_actions(), out=out)
        except ValueError:
            continue
        return f"written to {what}"
    return "refused"


if __name__ == "__main__":
    print(main(sys.argv[1]), flush=True)
