from truebleu import _core
