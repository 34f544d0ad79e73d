"""Print tools.tsv: what the tokenizers of some tools make of some texts.

Run with tensorflow-cpu, keras-hub, and ``pip install --no-deps tensor2tensor`` as
``python tests/golden/make_tools.py > tests/golden/tools.tsv``.
"""

import json
import sys
from importlib import import_module
from importlib.metadata import version
from unittest import mock

from make_tokens import TEXTS


def keras_tokens(text):
    """Split as the metric of keras-hub does."""
    import keras_hub

    ragged = keras_hub.metrics.Bleu()._tokenizer([text])
    return [token.decode() for token in ragged.to_list()[0]]


def tensor2tensor():
    """Load the part of tensor2tensor that needs none of its dependencies."""
    import_module("numpy")  # Or it would be forgotten with the stubs.
    stub = mock.MagicMock()
    names = "tensorflow", "tensorflow.compat", "tensorflow.compat.v1"
    modules = dict.fromkeys(names, stub)
    modules["tensor2tensor.data_generators"] = stub
    with mock.patch.dict(sys.modules, modules):
        return import_module("tensor2tensor.utils.bleu_hook")


def main():
    """Print the table."""
    names = "keras-hub", "tensorflow-cpu", "tensor2tensor"
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    print(f"# From {versions}, Python {sys.version.split()[0]}, by tests/golden/make_tools.py.")
    print('# spaces is Python\'s split(" ") without the empty words.')
    print("tokenizer\ttext\ttokens")
    tools = {
        "keras": keras_tokens,
        "tensor2tensor": tensor2tensor().bleu_tokenize,
        "spaces": lambda text: [token for token in text.split(" ") if token],
    }
    for name, split in tools.items():
        for text in TEXTS:
            print("\t".join([name, json.dumps(text), json.dumps(split(text))]))


if __name__ == "__main__":
    main()
