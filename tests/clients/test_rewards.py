"""Rewards for reinforcement learning: the functions of the page, alone and called by
trl and verl.
"""

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pages import python_blocks

from rouge_cli.dialects.google import RougeScorer
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "how-to" / "rewards.md").read_text("utf-8")
WORDS = ["<pad>", "<eos>", "the", "cat", "sat", "a", "dog", "ran"]


@pytest.fixture
def functions() -> dict[str, Any]:
    """Return the functions of the page by name."""
    names: dict[str, Any] = {}
    for block in python_blocks(PAGE):
        exec(compile(block, "rewards.md", "exec"), names)  # noqa: S102 - the project's own page
    return names


def vocabulary(transformers: Any) -> Any:  # noqa: ANN401 - a tokenizer
    """Return a tokenizer of a few words."""
    tokenizers = pytest.importorskip("tokenizers")
    pad, end = WORDS[:2]
    ids = {word: place for place, word in enumerate(WORDS)}
    model = tokenizers.Tokenizer(tokenizers.models.WordLevel(ids, unk_token=pad))
    model.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=model, pad_token=pad, eos_token=end, padding_side="left"
    )


def test_threads_and_processes_share_a_scorer() -> None:
    """Batches of several threads, and of a pickled scorer, have the scores of single
    calls.
    """
    scorer = RougeScorer(["rougeL", "rouge1"], use_stemmer=True)
    pairs = [
        ("the cat", "the cat sat"),
        ("a dog", ""),
        ("", "..."),
        ("dogs run", "a dog ran"),
        ("a", "a"),
    ]
    references, answers = zip(*pairs * 40, strict=True)
    expected = [
        RougeScorer(["rougeL", "rouge1"], use_stemmer=True).score(*pair)
        for pair in pairs
    ] * 40

    with ThreadPoolExecutor(4) as pool:
        batches = list(
            pool.map(lambda _: scorer.score_batch(references, answers), range(12))
        )
    assert [expected] * 12 == batches
    assert expected == pickle.loads(pickle.dumps(scorer)).score_batch(  # noqa: S301 - our own
        references, answers
    )


@pytest.mark.filterwarnings("ignore", "error::rouge_cli.RougeWarning")
def test_trl_trains_with_the_reward(
    functions: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A trainer of trl calls the page's function with groups of completions, and
    logs its mean.
    """
    trl = pytest.importorskip(
        "trl", reason="trl is not installed; make clients installs it in build/torch"
    )
    import datasets
    import transformers

    calls: list[tuple[list[str], list[list[str]], list[float]]] = []

    def rouge_reward(
        completions: list[str], reference: list[list[str]], **columns: object
    ) -> list[float]:
        rewards: list[float] = functions["rouge_reward"](
            completions, reference, **columns
        )
        calls.append((completions, reference, rewards))
        return rewards

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    shape = {"n_positions": 32, "n_embd": 8, "n_layer": 1, "n_head": 1}
    ends = {"bos_token_id": 1, "eos_token_id": 1, "pad_token_id": 0}
    network = transformers.GPT2Config(vocab_size=len(WORDS), **shape, **ends)
    records = [
        {"prompt": "the cat", "reference": ["the cat sat"]},
        {"prompt": "a dog", "reference": ["a dog ran", "the dog"]},
    ]
    options = {
        "report_to": [],
        "use_cpu": True,
        "bf16": False,
        "save_strategy": "no",
        "logging_steps": 1,
    }
    trainer = trl.GRPOTrainer(
        model=transformers.GPT2LMHeadModel(network),
        reward_funcs=rouge_reward,
        args=trl.GRPOConfig(
            str(tmp_path), max_steps=2, per_device_train_batch_size=4, num_generations=4,
            max_completion_length=4, **options,
        ),
        train_dataset=datasets.Dataset.from_list(records),
        processing_class=vocabulary(transformers),
    )  # fmt: skip
    trainer.train()

    scorer = RougeScorer(["rougeL"], use_stemmer=True)
    logged = [
        row["rewards/rouge_reward/mean"]
        for row in trainer.state.log_history
        if "reward" in row
    ]
    assert 2 == len(calls) == len(logged)
    for (completions, references, rewards), mean in zip(calls, logged, strict=True):
        assert [references[0]] * 4 == references  # a group
        texts = zip(references, completions, strict=True)
        assert [
            scorer.score_multi(*pair)["rougeL"].fmeasure for pair in texts
        ] == rewards
        assert pytest.approx(sum(rewards) / 4, abs=1e-4) == mean


@pytest.mark.parametrize("manager", ["naive", "batch"])
def test_verl_calls_the_reward(
    functions: dict[str, Any], manager: str, tmp_path: Path
) -> None:
    """The managers of verl load the page's function from a file, and put the rewards
    at the last tokens.
    """
    verl = pytest.importorskip(
        "verl", reason="verl is not installed; make clients installs it in build/torch"
    )
    import numpy as np
    import omegaconf
    import torch
    import transformers
    from verl.trainer.ppo.reward import get_custom_reward_fn
    from verl.workers.reward_manager import get_reward_manager_cls

    name = {"naive": "compute_score", "batch": "compute_scores"}[manager]
    assert name in functions
    block = next(block for block in python_blocks(PAGE) if f"def {name}(" in block)
    (tmp_path / "reward.py").write_text(block)
    path = {"path": str(tmp_path / "reward.py"), "name": name}
    config = omegaconf.OmegaConf.create({"reward": {"custom_reward_function": path}})
    reward = get_custom_reward_fn(config)
    prompts, answers = (
        torch.tensor([[2, 3], [5, 6], [5, 6]]),
        torch.tensor([[2, 3, 1], [6, 1, 0], [1, 0, 0]]),
    )
    mask = torch.cat(
        [torch.ones_like(prompts), torch.tensor([[1, 1, 1], [1, 1, 0], [1, 0, 0]])],
        dim=1,
    )
    truths = ["the cat sat", "a dog", "a dog"]
    data = verl.DataProto.from_dict(
        tensors={"prompts": prompts, "responses": answers, "attention_mask": mask},
        non_tensors={
            "data_source": np.array(["news"] * 3, dtype=object),
            "reward_model": np.array(
                [{"ground_truth": truth} for truth in truths], dtype=object
            ),
            "extra_info": np.array([{} for _ in truths], dtype=object),
        },
    )
    rewards = get_reward_manager_cls(manager)(vocabulary(transformers), 0, reward)(data)

    scorer = RougeScorer(["rougeL"], use_stemmer=True)
    pairs = zip(truths, ("the cat", "dog", ""), strict=True)
    expected = [scorer.score(*pair)["rougeL"].fmeasure for pair in pairs]
    assert torch.tensor(
        [[0, 0, expected[0]], [0, expected[1], 0], [expected[2], 0, 0]]
    ).allclose(rewards)
